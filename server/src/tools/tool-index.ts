import { createRanking } from '../skills/skill-ranking.ts';
import { createTermReader } from '../skills/skill-terms.ts';
import { createTermIndex } from '../skills/term-index.ts';
import { digestOf } from './tool-digest.ts';
import type { OfferedTool } from './toolbox.ts';

/** Ranks tools by what is written of them. */
export interface ToolIndex {
  /** Those that fit a text, best first; none that does not fit at all. */
  rank(text: string, tools: readonly OfferedTool[], most: number): OfferedTool[];
}

/** Beyond so many that it knows it starts over: those that are gone are forgotten with the others. */
const mostKnown = 5000;
/** So much of a description is read, in characters. */
const longestText = 4000;

/** By the words of names, titles, descriptions and parameters. */
export function createToolIndex(): ToolIndex {
  let index = createTermIndex();
  let ranking = createRanking(index);
  let known = new Set<string>();
  const keyOf = (tool: OfferedTool) => `${tool.id} ${digestOf(tool.tool)}`;
  const add = (tools: readonly OfferedTool[]) => {
    const fresh = tools.filter((tool) => !known.has(keyOf(tool)));
    if (fresh.length === 0) {
      return;
    }
    if (known.size + fresh.length > mostKnown) {
      index = createTermIndex();
      ranking = createRanking(index);
      known = new Set();
      return add(tools.slice(0, mostKnown));
    }
    const read = createTermReader();
    index.put(fresh.map((tool) => ({ id: keyOf(tool), vector: read(textsOf(tool)) })));
    for (const tool of fresh) {
      known.add(keyOf(tool));
    }
  };
  return {
    rank: (text, tools, most) => {
      add(tools);
      const keyed = tools.map((tool) => ({ id: keyOf(tool), tool }));
      return ranking.rank(text, keyed, most).map(({ skill }) => skill.tool);
    },
  };
}

function textsOf({ name, source, tool }: OfferedTool) {
  const { properties } = tool.parameters;
  const parameters = typeof properties === 'object' && properties !== null ? properties : {};
  return {
    name: name.replaceAll(/[_-]+/g, ' '),
    displayName: `${tool.title ?? ''} ${source.title}`,
    description: tool.description.slice(0, longestText),
    tags: [],
    triggers: '',
    body: Object.keys(parameters).join(' ').slice(0, longestText),
  };
}
