import type { ModelMessage } from './model.ts';

export type ToolResult = Extract<ModelMessage, { role: 'tool' }>;

/** The text of a result for vendors without a field for errors: an error is JSON with a flag. */
export function flaggedText({ content, isError }: Pick<ToolResult, 'content' | 'isError'>): string {
  return isError ? JSON.stringify({ isError, error: content }) : content;
}

/**
 * The results of parallel calls, which vendors want together: all that follow each other from
 * `index` on; none when `index` is inside such a row.
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
