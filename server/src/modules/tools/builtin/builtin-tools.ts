import type { ToolSource } from '../tool-source.ts';
import { askUserTool } from './ask-user-tool.ts';
import { calculateTool } from './calculate-tool.ts';
import { currentTimeTool } from './current-time-tool.ts';
import { type FetchPageOptions, fetchPageTool } from './fetch-page-tool.ts';

/** The built-in tools. An app gets those listed in its `tools`. */
export function builtinTools(options: FetchPageOptions): ToolSource {
  const tools = [currentTimeTool(), calculateTool, askUserTool, fetchPageTool(options)];
  const list = () => Promise.resolve(tools);
  return {
    id: 'builtin',
    title: 'Knowhow',
    kind: 'builtin',
    list,
    listAll: list,
    state: () => ({ status: 'ready' }),
  };
}
