import type { TurnObserver } from '../chat/observe-turn.ts';
import type { PreparedTurn } from '../chat/prepare-turn.ts';

/** A turn whose trace is to be stored. */
export interface WaitingTurn {
  turn: PreparedTurn;
  /** When it began, in milliseconds since 1970, and how long it has taken. */
  at: number;
  ms: number;
}

interface Running {
  turn: PreparedTurn;
  at: number;
  began: number;
  /** How many of its steps were taken. */
  taken: number;
}

interface TraceQueue {
  observe: TurnObserver;
  /**
   * The turns that have ended since, those that take long and have done something since, and one that is
   * wanted by the id of its answer; and how many were too many.
   */
  take(wanted: string | undefined): { waiting: WaitingTurn[]; dropped: number };
}

/** Turns that take longer are stored as they go, for the case that the server ends before them. */
const longMs = 2000;

export function createTraceQueue(most: number): TraceQueue {
  const running = new Map<string, Running>();
  let ended: WaitingTurn[] = [];
  let dropped = 0;
  const takeRunning = (wanted: string | undefined): WaitingTurn[] =>
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
        if (ended.length < most) {
          ended.push({ turn, at, ms });
        } else {
          dropped += 1;
        }
      };
    },
    take: (wanted) => {
      const taken = { waiting: [...ended, ...takeRunning(wanted)], dropped };
      ended = [];
      dropped = 0;
      return taken;
    },
  };
}
