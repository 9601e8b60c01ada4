import { defaultRunLimits } from './runner/run-limits.ts';

/** Timeouts in milliseconds. */
export interface CallLimits {
  /** Maximum time without progress. */
  idleTimeoutMs: number;
  /** Maximum total time, excluding waits for the user. */
  totalTimeoutMs: number;
  /** Maximum wait for the user's answer. */
  answerTimeoutMs: number;
}

export const callLimits: CallLimits = {
  idleTimeoutMs: 60_000,
  totalTimeoutMs: 600_000,
  answerTimeoutMs: 300_000,
};

/** Longer than the sandbox's own timeout, so that its result tells what ran. */
export const codeLimits: Pick<CallLimits, 'idleTimeoutMs' | 'totalTimeoutMs'> = {
  idleTimeoutMs: defaultRunLimits.seconds * 1000 + 30_000,
  totalTimeoutMs: callLimits.totalTimeoutMs,
};

/** The timeout of a call. */
export interface CallClock {
  signal: AbortSignal;
  /** Reports progress and resets the idle timeout. */
  touch(): void;
  /** Pauses the timeout while waiting for others. */
  paused<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** Stops the timeout and returns the time it ran, in milliseconds. */
  end(): number;
}

/** Aborts at its limits, and when the turn is stopped. */
export function callClock(
  { idleTimeoutMs, totalTimeoutMs }: Omit<CallLimits, 'answerTimeoutMs'>,
  turn: AbortSignal,
): CallClock {
  const abort = new AbortController();
  let ran = 0;
  let since = performance.now();
  let isRunning = true;
  let timer: NodeJS.Timeout | undefined;
  const total = () => ran + (isRunning ? performance.now() - since : 0);
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () => abort.abort(),
      Math.max(0, Math.min(idleTimeoutMs, totalTimeoutMs - total())),
    );
  };
  touch();
  return {
    signal: AbortSignal.any([turn, abort.signal]),
    touch: () => {
      if (isRunning) {
        touch();
      }
    },
    paused: async (wait) => {
      ran = total();
      isRunning = false;
      clearTimeout(timer);
      try {
        return await wait();
      } finally {
        isRunning = true;
        since = performance.now();
        touch();
      }
    },
    end: () => {
      clearTimeout(timer);
      ran = total();
      isRunning = false;
      return ran;
    },
  };
}
