import { problem } from '@knowhow/shared/problem';
import { within } from '../lib/within.ts';

/** The turns under way in this process: one a conversation. */
export interface RunningTurns {
  /** Takes the place. Throws `turn-running` when it is taken. */
  begin(conversationId: string): RunningTurn;
  /** Asks a turn to stop; false when none is running. */
  stop(conversationId: string): boolean;
  has(conversationId: string): boolean;
  /**
   * Begins no turn any more. Those under way have `graceMs` to end by themselves and are stopped then.
   * Resolves when each has stored what it has; one that does not even stop is not waited for.
   */
  finish(graceMs: number): Promise<void>;
}

export interface RunningTurn {
  abort: AbortController;
  /** Gives the place back. */
  end(): void;
}

const stoppingMs = 3000;

export function createRunningTurns(): RunningTurns {
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>();
  const allEnded = async () => {
    await Promise.all([...running.values()].map(({ ended }) => ended));
  };
  let isFinishing = false;
  return {
    begin: (conversationId) => {
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
      running.set(conversationId, { abort, ended });
      return {
        abort,
        end: () => {
          running.delete(conversationId);
          resolve();
        },
      };
    },
    stop: (conversationId) => {
      const turn = running.get(conversationId);
      turn?.abort.abort();
      return turn !== undefined;
    },
    has: (conversationId) => running.has(conversationId),
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
