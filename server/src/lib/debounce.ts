/** Calls a function once things have calmed down. */
export interface WhenQuiet {
  /** Something has happened. */
  stir(): void;
  cancel(): void;
}

/**
 * Calls `run` once nothing has stirred for `quietMs`, but at the latest so long after the first. Keeps no
 * process from its end.
 */
export function debounce(
  quietMs: number,
  run: () => void,
  latestMs: number = 10 * quietMs,
): WhenQuiet {
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  let lastAt = 0;

  const runIfQuiet = () => {
    const waitMs = Math.min(lastAt + quietMs, firstAt + latestMs) - performance.now();
    if (waitMs > 0) {
      timer = setTimeout(runIfQuiet, waitMs).unref();
      return;
    }
    timer = undefined;
    run();
  };
  return {
    // Called for each of thousands of changes: most of the time, a look at the clock has to do.
    stir: () => {
      lastAt = performance.now();
      if (!timer) {
        firstAt = lastAt;
        timer = setTimeout(runIfQuiet, quietMs).unref();
      }
    },
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
