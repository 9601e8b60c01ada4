/** A counting semaphore, e.g. for memory. */
export interface Semaphore {
  /**
   * Acquires permits in FIFO order, at most the total capacity, and resolves with a function that
   * releases them. Resolves with undefined if the queue is full.
   *
   * @param signal aborts waiting: rejects with its reason
   */
  take(size: number, signal: AbortSignal): Promise<(() => void) | undefined>;
}

interface Waiting {
  size: number;
  admit: () => void;
}

export function createSemaphore(total: number, maxWaiting: number): Semaphore {
  let free = total;
  let waiting: Waiting[] = [];
  const admit = () => {
    for (let next = waiting[0]; next && next.size <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.size;
      next.admit();
    }
  };
  return {
    take: async (wanted, signal) => {
      signal.throwIfAborted();
      const size = Math.min(wanted, total);
      if (size > free && waiting.length >= maxWaiting) {
        return undefined;
      }
      await new Promise<void>((resolve, reject) => {
        const entry = { size, admit: resolve };
        const abort = () => {
          waiting = waiting.filter((each) => each !== entry);
          reject(signal.reason);
          admit();
        };
        signal.addEventListener('abort', abort, { once: true });
        entry.admit = () => {
          signal.removeEventListener('abort', abort);
          resolve();
        };
        waiting.push(entry);
        admit();
      });
      let isHeld = true;
      return () => {
        free += isHeld ? size : 0;
        isHeld = false;
        admit();
      };
    },
  };
}

/** A semaphore per owner; unused ones take no memory. */
export function createSemaphores(total: number, maxWaiting: number): (owner: string) => Semaphore {
  const used = new Map<string, { semaphore: Semaphore; uses: number }>();
  return (owner) => ({
    take: async (size, signal) => {
      const own = used.get(owner) ?? { semaphore: createSemaphore(total, maxWaiting), uses: 0 };
      used.set(owner, own);
      own.uses += 1;
      const end = () => {
        own.uses -= 1;
        if (own.uses === 0) {
          used.delete(owner);
        }
      };
      const abort = await own.semaphore.take(size, signal).catch((error: unknown) => {
        end();
        throw error;
      });
      if (!abort) {
        end();
        return undefined;
      }
      let isHeld = true;
      return () => {
        abort();
        if (isHeld) {
          end();
        }
        isHeld = false;
      };
    },
  });
}

/**
 * Admits one job per owner at a time, and `total` in all, so that one owner never delays all others.
 *
 * @param queue maximum waiting jobs of one owner, and owners whose next job may wait
 * @returns a function that waits for admission and resolves with one that ends the job; undefined if a queue is full.
 * It rejects with the signal's reason
 */
export function createFairSemaphore(
  total: number,
  queue: { maxWaiting: number; maxOwnersWaiting: number },
): (owner: string, signal: AbortSignal) => Promise<(() => void) | undefined> {
  const all = createSemaphore(total, queue.maxOwnersWaiting);
  const own = createSemaphores(1, queue.maxWaiting);
  return async (owner, signal) => {
    const releaseOwn = await own(owner).take(1, signal);
    if (!releaseOwn) {
      return undefined;
    }
    const release = await all.take(1, signal).catch((error: unknown) => {
      releaseOwn();
      throw error;
    });
    if (!release) {
      releaseOwn();
      return undefined;
    }
    return () => {
      release();
      releaseOwn();
    };
  };
}
