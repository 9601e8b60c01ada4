import type { ToolSource } from '../tool-source.ts';
import { askUserTool } from './ask-user-tool.ts';
import { calculateTool } from './calculate-tool.ts';
import { currentTimeTool } from './current-time-tool.ts';
import { type FetchPageOptions, fetchPageTool } from './fetch-page-tool.ts';

/** What the product brings itself. An app has those of them that its `tools` name. */
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
