import type { PreparedTurn, TurnObserver } from '../../chat/index.ts';

/** A turn whose trace must be stored. */
export interface WaitingTurn {
  turn: PreparedTurn;
  /** Start in milliseconds since 1970, and duration so far. */
  at: number;
  ms: number;
}

interface TrackedTurn {
  turn: PreparedTurn;
  at: number;
  began: number;
  /** Number of steps stored so far. */
  taken: number;
}

interface TraceQueue {
  observe: TurnObserver;
  /**
   * Takes the ended turns, long-running turns with new steps, and the one whose answer ID is `wanted`. Also returns
   * how many were dropped.
   */
  take(wanted: string | undefined): { waiting: WaitingTurn[]; dropped: number };
}

/** Longer turns are stored while they run, in case the server crashes. */
const longMs = 2000;

export function createTraceQueue(maxQueued: number): TraceQueue {
  const running = new Map<string, TrackedTurn>();
  let ended: WaitingTurn[] = [];
  let dropped = 0;
  const takeLongRunning = (wanted: string | undefined): WaitingTurn[] =>
    [...running.entries()].flatMap(([id, each]) => {
      const { turn, at, began } = each;
      const ms = performance.now() - began;
      const { length } = turn.steps;
      if (id !== wanted && (ms < longMs || length === each.taken)) {
        return [];
      }
      each.taken = length;
      return [{ turn, at, ms }];
    });
  return {
    observe: (turn) => {
      const { id } = turn.start.answer;
      running.set(id, { turn, at: Date.now(), began: performance.now(), taken: 0 });
      return ({ at, ms }) => {
        running.delete(id);
        if (ended.length < maxQueued) {
          ended.push({ turn, at, ms });
        } else {
          dropped += 1;
        }
      };
    },
    take: (wanted) => {
      const taken = { waiting: [...ended, ...takeLongRunning(wanted)], dropped };
      ended = [];
      dropped = 0;
      return taken;
    },
  };
}
