/** Calls a function once things have calmed down. */
export interface WhenQuiet {
  /** Something has happened. */
  stir(): void;
  cancel(): void;
}

/** Calls `run` once nothing has stirred for `quietMs`, but at the latest ten times that after the first. */
export function whenQuiet(quietMs: number, run: () => void): WhenQuiet {
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  return {
    stir: () => {
      const now = Date.now();
      firstAt = timer ? firstAt : now;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = undefined;
          run();
        },
        Math.max(0, Math.min(quietMs, firstAt + 10 * quietMs - now)),
      );
    },
    cancel: () => clearTimeout(timer),
  };
}
