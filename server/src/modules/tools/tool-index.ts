import { createRanking, createTermIndex, createTermReader } from '../skills/index.ts';
import { getToolDigest } from './tool-digest.ts';
import type { OfferedTool } from './tool-source.ts';

/** Ranks tools by their texts. */
export interface ToolIndex {
  /** Matching tools, best first. */
  rank(text: string, tools: readonly OfferedTool[], most: number): OfferedTool[];
}

/** The index is rebuilt above this size, to drop removed tools. */
const maxIndexed = 5000;
/** Maximum indexed characters of a description. */
const maxTextLength = 4000;

/** Indexes the words of names, titles, descriptions and parameters. */
export function createToolIndex(): ToolIndex {
  let index = createTermIndex();
  let ranking = createRanking(index);
  let known = new Set<string>();
  const keyOf = (tool: OfferedTool) => `${tool.id} ${getToolDigest(tool.tool)}`;
  const add = (tools: readonly OfferedTool[]) => {
    const added = tools.filter((tool) => !known.has(keyOf(tool)));
    if (added.length === 0) {
      return;
    }
    if (known.size + added.length > maxIndexed) {
      index = createTermIndex();
      ranking = createRanking(index);
      known = new Set();
      return add(tools.slice(0, maxIndexed));
    }
    const read = createTermReader();
    index.put(added.map((tool) => ({ id: keyOf(tool), vector: read(textsOf(tool)) })));
    for (const tool of added) {
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
    description: tool.description.slice(0, maxTextLength),
    tags: [],
    triggers: '',
    body: Object.keys(parameters).join(' ').slice(0, maxTextLength),
  };
}
