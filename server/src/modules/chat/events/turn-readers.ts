import type { EventLog } from './event-log.ts';

/** A subscriber to a turn's events. */
export interface TurnReader {
  /** Takes the next bytes. False signals backpressure: nothing more is sent until `resume`. */
  take(bytes: Uint8Array): boolean;
  /** Called when no more events follow. */
  end(): void;
}

export interface Following {
  resume(): void;
  unsubscribe(): void;
}

/** The subscribers of a turn. Each is up to date or catching up at its own pace. */
export interface TurnReaders {
  /** Whether a subscriber waits for the next event. */
  readonly isAwaited: boolean;
  /** Milliseconds without any subscriber. */
  absentFor(): number;
  /** Sends the newest events to all up-to-date subscribers. */
  send(bytes: Uint8Array): void;
  /** Marks the end: each subscriber ends once it has received everything. */
  end(): void;
  /** Disconnects lagging subscribers. */
  disconnectLagging(): void;
  /** Subscribes a reader to the events after a given number, at the reader's pace. */
  add(after: number, reader: TurnReader): Following;
}

/**
 * @param log source for subscribers that are catching up
 * @param flush sends events that are in the log but not sent yet
 */
export function createTurnReaders(log: EventLog, flush: () => void): TurnReaders {
  /** Number of the last event sent to each subscriber. */
  const known = new Map<TurnReader, number>();
  const upToDate = new Set<TurnReader>();
  let absentSince = performance.now();
  let isOver = false;

  const catchUp = (reader: TurnReader) => {
    flush();
    for (;;) {
      const next = log.after(known.get(reader) ?? 0);
      if (!next) {
        break;
      }
      known.set(reader, next.last);
      if (!reader.take(Buffer.from(next.frames))) {
        return;
      }
    }
    if (isOver) {
      reader.end();
    } else {
      upToDate.add(reader);
    }
  };
  return {
    get isAwaited() {
      return upToDate.size > 0;
    },
    absentFor: () => (known.size > 0 ? 0 : performance.now() - absentSince),
    send: (bytes) => {
      for (const reader of upToDate) {
        known.set(reader, log.count);
        if (!reader.take(bytes)) {
          upToDate.delete(reader);
        }
      }
    },
    end: () => {
      isOver = true;
      for (const reader of upToDate) {
        reader.end();
      }
      upToDate.clear();
    },
    disconnectLagging: () => {
      for (const reader of known.keys()) {
        reader.end();
      }
      known.clear();
    },
    add: (after, reader) => {
      known.set(reader, Math.min(after, log.count));
      catchUp(reader);
      return {
        resume: () => {
          if (known.has(reader) && !upToDate.has(reader)) {
            catchUp(reader);
          }
        },
        unsubscribe: () => {
          known.delete(reader);
          upToDate.delete(reader);
          absentSince = performance.now();
        },
      };
    },
  };
}
