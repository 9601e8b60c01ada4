import type { EventLog } from './event-log.ts';

/** Who follows a turn. */
export interface TurnReader {
  /** Takes what comes next. False when that is enough for now: it gets no more until it goes on. */
  take(bytes: Uint8Array): boolean;
  /** There is nothing more to come. */
  end(): void;
}

export interface Following {
  resume(): void;
  unsubscribe(): void;
}

/** Those who follow a turn: up to date, or behind, each at its own pace. */
export interface TurnReaders {
  /** Whether anybody waits for the next event. */
  readonly isAwaited: boolean;
  /** Milliseconds for which there has been nobody. */
  absentFor(): number;
  /** Sends the newest events to all who wait for them. */
  send(bytes: Uint8Array): void;
  /** Nothing more comes: each reader ends when it has everything. */
  end(): void;
  /** Sends away those who are behind. */
  disconnectLagging(): void;
  /** Sends a reader what comes after an event, as fast as it is taken. */
  add(after: number, reader: TurnReader): Following;
}

/**
 * @param log what those are given who are behind
 * @param flush sends what the log has and nobody has got yet
 */
export function createTurnReaders(log: EventLog, flush: () => void): TurnReaders {
  /** The last event each has got. */
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
