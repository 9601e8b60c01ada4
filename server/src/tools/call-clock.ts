import { defaultRunLimits } from '../runner/run-limits.ts';

/** Milliseconds. */
export interface CallLimits {
  /** Without a sign of going on. */
  quiet: number;
  /** In all, without what the user is waited for. */
  longest: number;
  /** For an answer of the user. */
  patience: number;
}

export const callLimits: CallLimits = { quiet: 60_000, longest: 600_000, patience: 300_000 };

/** The sandbox ends code first, so that the result says what ran. */
export const codeLimits: Pick<CallLimits, 'quiet' | 'longest'> = {
  quiet: defaultRunLimits.seconds * 1000 + 30_000,
  longest: callLimits.longest,
};

/** How long a call may still take. */
export interface CallClock {
  signal: AbortSignal;
  /** It goes on. */
  touch(): void;
  /** Stops while others are waited for. */
  paused<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** Milliseconds that it ran. */
  end(): number;
}

/** Aborts after its limits, and with the turn. */
export function callClock(
  { quiet, longest }: Omit<CallLimits, 'patience'>,
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
    timer = setTimeout(() => abort.abort(), Math.max(0, Math.min(quiet, longest - total())));
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
