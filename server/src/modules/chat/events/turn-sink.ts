import type { ChatEvent } from '@knowhow/shared/chat/chat';

/** Takes the events of a turn. */
export interface TurnSink {
  /** Number of events so far; numbering starts at 1. */
  readonly count: number;
  /** Whether the turn is waiting for its user. */
  readonly isSuspended: boolean;
  /** Milliseconds since the last subscriber left; 0 while there is one. */
  unreadFor(): number;
  /** Returns a promise for backpressure; await it before you add more. */
  add(event: ChatEvent): Promise<void> | undefined;
  end(): void;
}
