import type { ContentIssue } from '@knowhow/shared/config/health';
import {
  type ToolsConfig,
  toolEntrySchema,
  type toolsFileSchema,
} from '@knowhow/shared/config/tools-config';
import { isRecord } from '@knowhow/shared/is-record';
import type { z } from 'zod';

const path = 'contents/config/tools.json';

/** iHub tools with a built-in equivalent, by their iHub IDs. */
const builtin: ReadonlyMap<string, string> = new Map([
  ['webContentExtractor', 'builtin/fetch_page'],
  ['ask_user', 'builtin/ask_user'],
]);
const maxTools = 1000;

/**
 * Reads the settings of tools. iHub stores a list of tools with server scripts in this file: built-in equivalents are
 * switched accordingly, and every other tool is reported as an issue with the next step.
 */
export function readToolsFile(
  file: z.output<typeof toolsFileSchema> | undefined,
  faults: ContentIssue[],
): ToolsConfig {
  if (!Array.isArray(file)) {
    return file ?? {};
  }
  const tools: NonNullable<ToolsConfig['tools']> = {};
  for (const [index, tool] of file.slice(0, maxTools).entries()) {
    const id = isRecord(tool) && typeof tool.id === 'string' ? tool.id : undefined;
    const toolId = id?.includes('/') ? id : builtin.get(id ?? '');
    const entry = toolEntrySchema.safeParse(tool);
    if (toolId !== undefined && entry.success) {
      tools[toolId] = entry.data;
    } else {
      faults.push({ path, field: String(index), message: describeIssue(id, tool), isUsed: true });
    }
  }
  return { tools };
}

function describeIssue(id: string | undefined, tool: unknown): string {
  if (id === undefined) {
    return 'A tool of this list has no "id". Add one, or take the tool out.';
  }
  const script = isRecord(tool) && typeof tool.script === 'string' ? ` (${tool.script})` : '';
  return `The tool "${id}" is a script of iHub${script}, which is not run here. Offer it by a server in contents/config/mcp.json or by the tool of a skill, and remove it from this list.`;
}
