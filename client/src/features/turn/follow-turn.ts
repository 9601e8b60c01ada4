import { type ChatEvent, chatApi } from '@knowhow/shared/chat/chat';
import { Problem } from '@knowhow/shared/problem';
import { stream } from '../../api/stream.ts';
import { Unreachable } from '../../api/unreachable.ts';
import { pause } from './pause.ts';

/** How far a turn is known. */
export interface TurnPlace {
  conversationId: string;
  /** The id of its answer. */
  answer: string;
  /** The number of the last event that is known. */
  after: number;
}

export interface Following {
  signal: AbortSignal;
  /** Called when the connection is lost, and when it is there again. */
  onAway: (isAway: boolean) => void;
}

/**
 * The events of a turn from a place on, each once, to its end: connects again whenever that fails. Ends without
 * `done` or `error` when the server has nothing of the turn; throws what it refuses for good.
 */
export async function* followTurn(
  { conversationId, answer, after }: TurnPlace,
  { signal, onAway }: Following,
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
    // A connection that has brought something and broke is opened again at once.
    failures = isEmpty ? failures + 1 : 0;
    await (isEmpty && pause(failures, signal));
  }
}

export function isLast(event: ChatEvent): boolean {
  return event.type === 'done' || event.type === 'error';
}

/** Whether the same may be answered in a moment. */
export function isTransient(error: unknown): boolean {
  const passing = ['too-many-requests', 'not-ready', 'internal'];
  return error instanceof Unreachable || (error instanceof Problem && passing.includes(error.code));
}
