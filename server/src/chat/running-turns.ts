import { problem } from '@knowhow/shared/problem';

/** The turns under way in this process: one a conversation. */
export interface RunningTurns {
  /** Takes the place. Throws `turn-running` when it is taken. */
  begin(conversationId: string): RunningTurn;
  /** Asks a turn to stop; false when none is running. */
  stop(conversationId: string): boolean;
  has(conversationId: string): boolean;
  /** Stops all, and resolves when each has stored what it has. */
  stopAll(): Promise<void>;
}

export interface RunningTurn {
  abort: AbortController;
  /** Gives the place back. */
  end(): void;
}

export function createRunningTurns(): RunningTurns {
  const running = new Map<string, { abort: AbortController; ended: Promise<void> }>();
  return {
    begin: (conversationId) => {
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
    stopAll: async () => {
      const turns = [...running.values()];
      for (const { abort } of turns) {
        abort.abort();
      }
      await Promise.all(turns.map(({ ended }) => ended));
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
