import { ToolCallLine } from '../tool-call-line.tsx';
import { SourceCallLine } from '../tool-calls/source-call-line.tsx';
import type { AnswerPart } from './answer-parts.ts';

/** A tool call, as one line. */
export function AnswerCall({
  messageId,
  part: { numbered },
}: {
  messageId: string;
  part: Extract<AnswerPart, { type: 'call' }>;
}) {
  const { call, number } = numbered;
  return call.source === undefined ? (
    <ToolCallLine call={call} />
  ) : (
    <SourceCallLine call={call} at={{ messageId, number }} />
  );
}
