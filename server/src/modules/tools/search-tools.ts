import { z } from 'zod';
import { describeTool } from './describe-tool.ts';
import { toolError } from './tool.ts';
import type { SourceTool, ToolSource } from './tool-source.ts';
import type { OfferedTool } from './toolbox.ts';

const maxResults = 10;
const inputSchema = z.object({ query: z.string().trim().min(1).max(1000) });

const parameters = {
  type: 'object',
  properties: { query: { type: 'string' } },
  required: ['query'],
  additionalProperties: false,
};

/** The source of `search_tools`. */
export const searchSource: Pick<ToolSource, 'id' | 'kind' | 'title'> = {
  id: 'knowhow',
  kind: 'builtin',
  title: 'Knowhow',
};

/** The searchable tools, and where matches are added. */
interface Searched {
  /** Best match first. */
  rank(query: string, maxResults: number): OfferedTool[];
  /** Offers these tools from the next request on. Returns those that fit the budget. */
  add(tools: readonly OfferedTool[]): readonly OfferedTool[];
  count: number;
}

/** `search_tools {query}`: finds tools that are not offered yet, and offers them. */
export function searchTools({ rank, add, count }: Searched): SourceTool {
  return {
    ...describeTool({ name: 'search_tools', parameters }, { values: { count } }),
    hints: { readOnly: true, destructive: false, openWorld: false },
    consent: 'never',
    run: async (input) => {
      const parsed = inputSchema.safeParse(input);
      if (!parsed.success) {
        return toolError('search_tools takes {"query": "…"} with a few words.', 'wrong arguments');
      }
      const found = rank(parsed.data.query, maxResults);
      if (found.length === 0) {
        return toolError(
          'No tool fits these words. Try others, or continue without.',
          'nothing found',
        );
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
