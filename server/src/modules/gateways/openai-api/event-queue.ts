import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { TurnSink } from '../../chat/events/turn-sink.ts';

interface EventQueue extends TurnSink {
  /** Yields the events until the end. The turn waits until its reader asks for the next one. */
  read(): AsyncGenerator<ChatEvent>;
}

interface WaitingEvent {
  event: ChatEvent;
  release: () => void;
}

/**
 * Hands the events of a turn to one reader. Once the reader has left, events are dropped.
 *
 * @param onLeave called when the reader has left, at the end or earlier
 */
export function createEventQueue(onLeave: () => void): EventQueue {
  const waiting: WaitingEvent[] = [];
  let wake = () => {};
  let count = 0;
  let isOver = false;
  let hasLeft = false;
  return {
    get count() {
      return count;
    },
    // Programs cannot be asked anything, and a disconnected one stops its turn.
    isSuspended: false,
    unreadFor: () => 0,
    add: (event) => {
      count += 1;
      if (hasLeft) {
        return undefined;
      }
      return new Promise((release) => {
        waiting.push({ event, release });
        wake();
      });
    },
    end: () => {
      isOver = true;
      wake();
    },
    read: async function* () {
      let taken: WaitingEvent | undefined;
      try {
        for (;;) {
          taken = waiting.shift();
          if (taken) {
            yield taken.event;
            taken.release();
          } else if (isOver) {
            return;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        hasLeft = true;
        onLeave();
        for (const { release } of [...(taken ? [taken] : []), ...waiting]) {
          release();
        }
      }
    },
  };
}
