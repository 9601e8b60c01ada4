import type { RunEnd } from '../runner.ts';

/** Tracks why a script is ended before it exits. */
export interface EndOfRun {
  /** Aborts when the script must end. */
  signal: AbortSignal;
  /** Ends the script; the first reason wins. */
  because(why: RunEnd): void;
  why(): RunEnd | undefined;
  startTimer(): void;
  close(): void;
}

/** @param stopped aborted when the user stops the script */
export function createRunEnd(seconds: number, stopped: AbortSignal): EndOfRun {
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
