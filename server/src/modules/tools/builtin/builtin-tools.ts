import type { ToolSource } from '../tool-source.ts';
import { askUserTool } from './ask-user-tool.ts';
import { builtinSource } from './builtin-tool.ts';
import { calculateTool } from './calculate-tool.ts';
import { currentTimeTool } from './current-time-tool.ts';
import { type FetchPageOptions, fetchPageTool } from './fetch-page-tool.ts';

/** The built-in tools. An app gets those listed in its `tools`. */
export function builtinTools(options: FetchPageOptions): ToolSource {
  return builtinSource('builtin', [
    currentTimeTool(),
    calculateTool,
    askUserTool,
    fetchPageTool(options),
  ]);
}
