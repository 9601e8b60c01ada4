import type { ModelMessage } from './model.ts';

export type ToolResult = Extract<ModelMessage, { role: 'tool' }>;

/**
 * The results of parallel calls, which vendors want together: all that follow each other from
 * `index` on; none when `index` is inside such a row.
 */
export function toolResultsFrom(messages: ModelMessage[], index: number): ToolResult[] {
  if (messages[index - 1]?.role === 'tool') {
    return [];
  }
  const rest = messages.slice(index);
  const end = rest.findIndex(({ role }) => role !== 'tool');
  return rest.slice(0, end === -1 ? undefined : end).filter((each) => each.role === 'tool');
}
