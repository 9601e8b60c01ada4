import type { ToolCall } from '@knowhow/shared/chat/conversations';

/** A call of a tool of a source, as its line and what opens below it show it. */
export interface SourceCallProps {
  call: ToolCall;
  /** The answer it was made for, and its number among the calls of that. */
  at: { messageId: string; number: number };
}

/** A call that waits for its user. */
export interface WaitingCardProps {
  waitsFor: NonNullable<ToolCall['waitsFor']>;
}
