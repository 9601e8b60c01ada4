import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/**
 * For long work on the main thread: gives a function to be called now and then, which lets others be
 * answered whenever so many milliseconds have gone by since it last did.
 */
export function createPauses(sliceMs: number): () => Promise<void> | undefined {
  let ends = performance.now() + sliceMs;
  return () => {
    if (performance.now() < ends) {
      return undefined;
    }
    return yieldToEventLoop().then(() => {
      ends = performance.now() + sliceMs;
    });
  };
}
