import type { RunEnd } from '../runner.ts';

/** Whatever ends a script before it does so itself. */
export interface EndOfRun {
  /** Aborts when it is to end. */
  signal: AbortSignal;
  /** Ends it; the first reason counts. */
  because(why: RunEnd): void;
  why(): RunEnd | undefined;
  startTimer(): void;
  close(): void;
}

/** @param stopped is aborted when somebody stops it */
export function endOfRun(seconds: number, stopped: AbortSignal): EndOfRun {
  const controller = new AbortController();
  let end: RunEnd | undefined;
  let timer: NodeJS.Timeout | undefined;
  const because = (why: RunEnd) => {
    end ??= why;
    controller.abort();
  };
  const onStop = () => because('stopped');
  stopped.addEventListener('abort', onStop, { once: true });
  if (stopped.aborted) {
    onStop();
  }
  return {
    signal: controller.signal,
    because,
    why: () => end,
    startTimer: () => {
      timer = setTimeout(() => because('time'), seconds * 1000);
    },
    close: () => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', onStop);
    },
  };
}
