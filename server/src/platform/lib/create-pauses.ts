import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/**
 * Keeps the event loop responsive during long work: call the returned function regularly. It yields
 * to the event loop once a time slice is used up.
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
