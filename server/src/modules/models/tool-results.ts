import type { ModelMessage } from './model.ts';

export type ToolResult = Extract<ModelMessage, { role: 'tool' }>;

/** A result's text for vendors without an error flag: errors become JSON with a flag. */
export function flaggedText({ content, isError }: Pick<ToolResult, 'content' | 'isError'>): string {
  return isError ? JSON.stringify({ isError, error: content }) : content;
}

/**
 * The results of parallel calls, which vendors expect together: all consecutive ones from `index` on. Empty if
 * `index` is not the first of them.
 */
export function toolResultsFrom(messages: ModelMessage[], index: number): ToolResult[] {
  if (messages[index - 1]?.role === 'tool') {
    return [];
  }
  const results: ToolResult[] = [];
  for (let at = index; ; at += 1) {
    const message = messages[at];
    if (message?.role !== 'tool') {
      return results;
    }
    results.push(message);
  }
}
