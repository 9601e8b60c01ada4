import { type ChatEvent, chatApi } from '@knowhow/shared/chat/chat';
import { Problem } from '@knowhow/shared/problem';
import { stream } from '../../api/stream.ts';
import { Unreachable } from '../../api/unreachable.ts';
import { backOff } from './back-off.ts';

/** The known position in a turn. */
export interface TurnPosition {
  conversationId: string;
  /** The ID of its answer. */
  answer: string;
  /** The number of the last known event. */
  after: number;
}

export interface FollowOptions {
  signal: AbortSignal;
  /** Called when the connection is lost, and when it is restored. */
  onAway: (isAway: boolean) => void;
}

/**
 * Yields the events of a turn from a position, each once, until it ends; reconnects after failures. Ends without
 * `done` or `error` if the server no longer has the turn. Throws permanent refusals.
 */
export async function* followTurn(
  { conversationId, answer, after }: TurnPosition,
  { signal, onAway }: FollowOptions,
): AsyncGenerator<ChatEvent> {
  let known = after;
  for (let failures = 0; ; ) {
    let isOpen = false;
    let isEmpty = true;
    const onOpen = () => {
      isOpen = true;
      onAway(false);
    };
    try {
      const input = { params: { id: conversationId }, query: { after: known, answer } };
      for await (const { number, event } of stream(chatApi.follow, input, { signal, onOpen })) {
        isEmpty = false;
        if (number > known) {
          known = number;
          yield event;
        }
        if (isLast(event)) {
          return;
        }
      }
      if (!isOpen) {
        return;
      }
    } catch (error) {
      if (signal.aborted || !isTransient(error)) {
        throw error;
      }
    }
    if (!isOpen) {
      onAway(true);
    }
    // Reconnects at once if the broken connection had delivered something.
    failures = isEmpty ? failures + 1 : 0;
    await (isEmpty && backOff(failures, signal));
  }
}

export function isLast(event: ChatEvent): boolean {
  return event.type === 'done' || event.type === 'error';
}

/** Whether a retry may succeed (transient error). */
export function isTransient(error: unknown): boolean {
  const passing = ['too-many-requests', 'not-ready', 'internal'];
  return error instanceof Unreachable || (error instanceof Problem && passing.includes(error.code));
}
