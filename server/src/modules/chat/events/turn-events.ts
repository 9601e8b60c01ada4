import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { createEventLog } from './event-log.ts';
import { createTurnReaders, type TurnReaders } from './turn-readers.ts';
import type { TurnSink } from './turn-sink.ts';

/**
 * The events of one turn for any number of subscribers. A slow subscriber neither delays the turn nor grows its
 * memory.
 */
export interface TurnEvents extends TurnSink {
  /** ID of the answer. */
  readonly answer: string;
  /** Characters in the log. */
  readonly size: number;
  readonly isOver: boolean;
  /** Frees the memory after the end. Lagging subscribers are disconnected and reload the conversation. */
  forget(): void;
  /** Subscribes to the events after a given number; a future number counts as the last. */
  follow: TurnReaders['add'];
}

/** Maximum characters to add before yielding to the event loop. */
const maxAtOnce = 64 * 1024;
/** Approximate overhead of an event beyond its text, in characters. */
const frameLength = 60;

/**
 * Events of one event-loop tick are encoded once and written once to each up-to-date subscriber. Lagging subscribers
 * catch up from the log.
 */
export function createTurnEvents(answer: string): TurnEvents {
  const log = createEventLog();
  let batch = '';
  let added = 0;
  let flushed: Promise<void> | undefined;
  let isOver = false;
  let last: ChatEvent['type'] | undefined;

  const flush = () => {
    const text = batch;
    batch = '';
    added = 0;
    if (text !== '') {
      readers.send(Buffer.from(text));
    }
  };
  const readers = createTurnReaders(log, flush);
  const flushSoon = () =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        flushed = undefined;
        flush();
        resolve();
      });
    });
  return {
    answer,
    get count() {
      return log.count;
    },
    get size() {
      return log.size;
    },
    get isOver() {
      return isOver;
    },
    get isSuspended() {
      return last === 'tool.consent' || last === 'tool.question';
    },
    unreadFor: readers.absentFor,
    add: (event) => {
      last = event.type;
      const before = log.size;
      const frame = log.add(event);
      if (readers.isAwaited) {
        batch += frame();
      }
      added += log.size - before + frameLength;
      flushed ??= flushSoon();
      return added > maxAtOnce ? flushed : undefined;
    },
    end: () => {
      isOver = true;
      flush();
      readers.end();
    },
    forget: () => {
      flush();
      log.clear();
      readers.disconnectLagging();
    },
    follow: readers.add,
  };
}
