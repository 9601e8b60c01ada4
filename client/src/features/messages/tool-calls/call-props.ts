import type { ToolCall } from '@knowhow/shared/chat/conversations';

/** A tool call with its answer, as its line and details need it. */
export interface SourceCallProps {
  call: ToolCall;
  /** The answer that contains it, and its number among that answer's calls. */
  at: { messageId: string; number: number };
}

/** A call that is waiting for its user. */
export interface WaitingCardProps {
  waitsFor: NonNullable<ToolCall['waitsFor']>;
}
