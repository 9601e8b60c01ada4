export interface Debounced {
  /** Triggers the debounced call. */
  trigger(): void;
  cancel(): void;
}

/**
 * Debounce: calls `run` once `quietMs` have passed without a trigger, but at the latest `latestMs`
 * after the first one. Its timer does not keep the process alive.
 */
export function debounce(
  quietMs: number,
  run: () => void,
  latestMs: number = 10 * quietMs,
): Debounced {
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  let lastAt = 0;

  const runWhenDue = () => {
    const waitMs = Math.min(lastAt + quietMs, firstAt + latestMs) - performance.now();
    if (waitMs > 0) {
      timer = setTimeout(runWhenDue, waitMs).unref();
      return;
    }
    timer = undefined;
    run();
  };
  return {
    // May be triggered for thousands of changes: usually only reads the clock.
    trigger: () => {
      lastAt = performance.now();
      if (!timer) {
        firstAt = lastAt;
        timer = setTimeout(runWhenDue, quietMs).unref();
      }
    },
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
