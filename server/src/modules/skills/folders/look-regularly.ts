import { AsyncLocalStorage } from 'node:async_hooks';
import { debounce } from '../../../platform/lib/debounce.ts';

/** Edits of files in subfolders are not reported by the file system. */
export const lookEveryMs = 8000;
/** Pause after a look at all folders, as a multiple of its duration; at most `lookEveryMs`. */
const pauseFactor = 5;

interface Looking {
  look: () => Promise<void>;
  isWanted: () => boolean;
  onError: (error: unknown) => void;
}

/** Looks soon after a trigger, and from time to time: one at a time. */
export function lookRegularly({ look, isWanted, onError }: Looking) {
  // A trigger may be inside a write, whose locks do not belong to the look.
  const outside = AsyncLocalStorage.snapshot();
  let next = 0;
  let running: Promise<void> | undefined;
  const run = async () => {
    const began = performance.now();
    try {
      await outside(look);
    } catch (error) {
      onError(error);
    }
    const took = performance.now() - began;
    next = performance.now() + Math.min(pauseFactor * took, lookEveryMs);
  };
  const soon = debounce(100, () => {
    if (running || performance.now() < next) {
      setTimeout(trigger, 100).unref();
    } else if (isWanted()) {
      running = run().finally(() => {
        running = undefined;
      });
    }
  });
  let isClosed = false;
  const trigger = () => {
    if (!isClosed) {
      soon.trigger();
    }
  };
  const timer = setInterval(trigger, lookEveryMs).unref();
  return {
    trigger,
    close: () => {
      isClosed = true;
      soon.cancel();
      clearInterval(timer);
    },
  };
}
