import { createPauses } from '../lib/create-pauses.ts';

/** Others have their turn after this. */
const sliceMs = 8;

/** Gives way to others when a slice of time is used up, and goes on if it is still wanted. */
export function searchPauses(signal: AbortSignal | undefined): () => Promise<void> {
  const pause = createPauses(sliceMs);
  return async () => {
    await pause();
    signal?.throwIfAborted();
  };
}
