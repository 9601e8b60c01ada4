import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { createEventLog } from './event-log.ts';
import { createTurnReaders, type TurnReaders } from './turn-readers.ts';

/** What comes of one turn, for any number of readers: none of them slows it, or costs it memory. */
export interface TurnEvents {
  /** The id of the answer. */
  readonly answer: string;
  /** The number of the last event; they begin with 1. */
  readonly count: number;
  /** Characters that are kept of them. */
  readonly size: number;
  readonly isOver: boolean;
  /** Whether the turn waits for its user. */
  readonly isSuspended: boolean;
  /** Milliseconds for which nobody has followed. */
  unreadFor(): number;
  /** Gives a promise when much has been added at once: what is added after it lets others have their turn. */
  add(event: ChatEvent): Promise<void> | undefined;
  end(): void;
  /** Gives the memory back, after the end: who is still behind is sent away, and reads the conversation. */
  forget(): void;
  /** Gives a reader what comes after an event; a number that has not come yet counts as the last one. */
  follow: TurnReaders['add'];
}

/** Characters that are added in one go. */
const maxAtOnce = 64 * 1024;
/** What an event has beside its text, about. */
const frameLength = 60;

/**
 * Events that come in one go of the event loop are made bytes once, and leave in one write to each reader
 * that is up to date. One that is behind gets what it lacks from the log.
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
