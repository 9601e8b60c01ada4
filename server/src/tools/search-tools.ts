import { z } from 'zod';
import { refusal } from './tool.ts';
import type { SourceTool, ToolSource } from './tool-source.ts';
import type { OfferedTool } from './toolbox.ts';

const most = 10;
const inputSchema = z.object({ query: z.string().trim().min(1).max(1000) });

/** Whose tool `search_tools` is. */
export const searchSource: Pick<ToolSource, 'id' | 'kind' | 'title'> = {
  id: 'knowhow',
  kind: 'builtin',
  title: 'Knowhow',
};

/** What a search may find, and where it puts what it has found. */
interface Searched {
  /** Best first. */
  rank(query: string, most: number): OfferedTool[];
  /** Offers these from the next request on. Gives those for which there is room. */
  add(tools: readonly OfferedTool[]): readonly OfferedTool[];
  count: number;
}

/** `search_tools {query}`: finds tools among those that are not offered, and offers them. */
export function searchTools({ rank, add, count }: Searched): SourceTool {
  return {
    name: 'search_tools',
    description: `Finds tools. ${count} more can be used than are listed here: call this with a few words that say what is to be done, before you say that it cannot be done. What it finds can be called in the next step.`,
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'A few words, in English if possible.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    translations: {
      de: {
        description: `Findet Werkzeuge. Außer den hier genannten sind ${count} weitere verfügbar: mit ein paar Wörtern zur Aufgabe aufrufen, bevor du sagst, dass etwas nicht geht. Gefundene Werkzeuge lassen sich im nächsten Schritt aufrufen.`,
        parameters: { query: 'Ein paar Wörter, möglichst auf Englisch.' },
      },
    },
    hints: { readOnly: true, destructive: false, openWorld: false },
    consent: 'never',
    run: async (input) => {
      const parsed = inputSchema.safeParse(input);
      if (!parsed.success) {
        return refusal('search_tools takes {"query": "…"} with a few words.', 'wrong arguments');
      }
      const found = rank(parsed.data.query, most);
      if (found.length === 0) {
        return refusal('No tool fits these words. Try others, or go on without.', 'nothing found');
      }
      const added = new Set(add(found));
      const lines = found.map(
        (tool) =>
          `- ${tool.name}: ${tool.tool.description.replaceAll(/\s+/g, ' ').slice(0, 200)}${added.has(tool) ? '' : ' (no room for it: end this task first)'}`,
      );
      return {
        content: `These can be called from now on:\n${lines.join('\n')}`,
        isError: false,
        summary: `${found.length}`,
      };
    },
  };
}
