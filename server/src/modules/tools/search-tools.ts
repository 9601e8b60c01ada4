import { z } from 'zod';
import { builtinTool } from './builtin/builtin-tool.ts';
import { ownTool } from './offer-skill-tools.ts';
import { toolError } from './tool.ts';
import type { OfferedTool } from './tool-source.ts';

const maxResults = 10;

/** The searchable tools, and where matches are added. */
interface Searched {
  /** Best match first. */
  rank(query: string, maxResults: number): OfferedTool[];
  /** Offers these tools from the next request on. Returns those that fit the budget. */
  add(tools: readonly OfferedTool[]): readonly OfferedTool[];
  count: number;
}

/** `search_tools {query}`: finds tools that are not offered yet, and offers them. */
export function searchTools({ rank, add, count }: Searched): OfferedTool {
  const tool = builtinTool({
    name: 'search_tools',
    arguments: z.object({ query: z.string().trim().min(1).max(1000) }),
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
    usage: 'search_tools takes {"query": "…"} with a few words.',
    values: { count },
    hints: { readOnly: true, destructive: false, openWorld: false },
    consent: 'never',
    run: ({ query }) => {
      const found = rank(query, maxResults);
      if (found.length === 0) {
        return toolError(
          'No tool fits these words. Try others, or continue without.',
          'nothing found',
        );
      }
      const added = new Set(add(found));
      const lines = found.map(
        (each) =>
          `- ${each.name}: ${each.tool.description.replaceAll(/\s+/g, ' ').slice(0, 200)}${added.has(each) ? '' : ' (no room for it: end this task first)'}`,
      );
      return {
        content: `These can be called from now on:\n${lines.join('\n')}`,
        isError: false,
        summary: `${found.length}`,
      };
    },
  });
  return ownTool(tool);
}
