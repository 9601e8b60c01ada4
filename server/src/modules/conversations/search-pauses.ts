import { createPauses } from '../../platform/lib/create-pauses.ts';

/** Maximum time before the search yields to the event loop. */
const sliceMs = 8;

/**
 * Creates a function that yields to the event loop once a time slice is used up. It throws if the search was aborted.
 */
export function searchPauses(signal: AbortSignal | undefined): () => Promise<void> {
  const pause = createPauses(sliceMs);
  return async () => {
    await pause();
    signal?.throwIfAborted();
  };
}
