/** Why a call was ended: not to be told from a stop by the error it ends with. */
export type WhyEnded = 'stopped' | 'too-long' | 'no-progress' | 'closed';

/** The time that a call has. */
export interface CallDeadline {
  signal: AbortSignal;
  /** Begins the wait for the next sign of progress anew, within the limit of the whole. */
  extend(): void;
  /** Stops the clocks while somebody is asked. */
  during<Result>(asked: Promise<Result>): Promise<Result>;
  /** Undefined as long as nothing has ended it. */
  readonly why: WhyEnded | undefined;
  end(why: WhyEnded): void;
  /** To be called in any case. */
  clear(): void;
}

/**
 * A call may take `callMs` without progress and `maxCallMs` in all, the time in which a user is asked not
 * counted; it ends at once when `stopped` is aborted.
 */
export function callDeadline(
  limits: { callMs: number; maxCallMs: number },
  stopped: AbortSignal,
): CallDeadline {
  const controller = new AbortController();
  let why: WhyEnded | undefined;
  let timer: NodeJS.Timeout | undefined;
  let asking = 0;
  let left = limits.maxCallMs;
  let since = performance.now();
  const end = (reason: WhyEnded) => {
    why ??= reason;
    clearTimeout(timer);
    controller.abort(new Error(reason));
  };
  const spend = () => {
    left -= performance.now() - since;
    since = performance.now();
  };
  const start = () => {
    clearTimeout(timer);
    const reason = left <= limits.callMs ? 'too-long' : 'no-progress';
    timer = setTimeout(() => end(reason), Math.max(0, Math.min(left, limits.callMs)));
  };
  const stop = () => end('stopped');
  if (stopped.aborted) {
    stop();
  } else {
    stopped.addEventListener('abort', stop, { once: true });
    start();
  }
  const extend = () => {
    if (asking === 0 && why === undefined) {
      spend();
      start();
    }
  };
  return {
    signal: controller.signal,
    extend,
    during: async (asked) => {
      if (asking === 0) {
        spend();
        clearTimeout(timer);
      }
      asking += 1;
      try {
        return await asked;
      } finally {
        asking -= 1;
        if (asking === 0) {
          since = performance.now();
          extend();
        }
      }
    },
    get why() {
      return why;
    },
    end,
    clear: () => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', stop);
    },
  };
}
