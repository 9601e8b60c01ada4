import { problem } from '@knowhow/shared/problem';
import { within } from '../lib/within.ts';

/** The reason of an abort by the user. */
export const stoppedByUser = Symbol('stopped by its user');

/** The turns under way in this process: one a conversation. */
export interface RunningTurns {
  /** Takes the place. Throws `turn-running` when it is taken. */
  begin(place: TurnPlace): RunningTurn;
  /** Whose turn has the place, and in which app. */
  find(conversationId: string): TurnPlace | undefined;
  /** Asks a turn of this owner to stop; false when none is running. */
  stop(conversationId: string, owner: string): boolean;
  /** Stops all turns of this owner, as a server does that ends. */
  stopAllOf(owner: string): void;
  /**
   * Begins no turn any more. Those under way have `graceMs` to end by themselves and are stopped then.
   * Resolves when each has stored what it has; one that does not even stop is not waited for.
   */
  finish(graceMs: number): Promise<void>;
}

/** A conversation in an app, which need not be stored yet. */
export interface TurnPlace {
  conversationId: string;
  /** Id of the caller. */
  owner: string;
  appId: string;
}

export interface RunningTurn {
  abort: AbortController;
  /** Gives the place back. */
  end(): void;
}

interface Running {
  place: TurnPlace;
  abort: AbortController;
  ended: Promise<void>;
}

const stoppingMs = 3000;

export function createRunningTurns(): RunningTurns {
  const running = new Map<string, Running>();
  const allEnded = async () => {
    await Promise.all([...running.values()].map(({ ended }) => ended));
  };
  let isFinishing = false;
  return {
    begin: (place) => {
      const { conversationId } = place;
      if (isFinishing) {
        throw problem('not-ready', 'The server is stopping. Send it again in a moment.', {
          retryAfter: 5,
        });
      }
      if (running.has(conversationId)) {
        throw problem(
          'turn-running',
          'This conversation is already being answered. Wait for the answer, or stop it first.',
        );
      }
      const abort = new AbortController();
      const { promise: ended, resolve } = withResolvers();
      running.set(conversationId, { place, abort, ended });
      return {
        abort,
        end: () => {
          running.delete(conversationId);
          resolve();
        },
      };
    },
    find: (conversationId) => running.get(conversationId)?.place,
    stop: (conversationId, owner) => {
      const turn = running.get(conversationId);
      if (turn?.place.owner !== owner) {
        return false;
      }
      turn.abort.abort(stoppedByUser);
      return true;
    },
    stopAllOf: (owner) => {
      for (const { place, abort } of running.values()) {
        if (place.owner === owner) {
          abort.abort();
        }
      }
    },
    finish: async (graceMs) => {
      isFinishing = true;
      await within(graceMs, allEnded());
      for (const { abort } of running.values()) {
        abort.abort();
      }
      await within(stoppingMs, allEnded());
    },
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
