/** Something of which there is so much: memory, for one. */
export interface Semaphore {
  /**
   * Waits, in the order of asking, until so much is free, and takes it; all there is when it is less.
   * Gives what gives it back. Resolves with undefined when too many are waiting already.
   *
   * @param signal ends the waiting: rejects with its reason
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
      const size = Math.min(wanted, total);
      if (size > free && waiting.length >= maxWaiting) {
        return undefined;
      }
      await new Promise<void>((resolve, reject) => {
        const entry = { size, admit: resolve };
        const leave = () => {
          waiting = waiting.filter((each) => each !== entry);
          reject(signal.reason);
          admit();
        };
        signal.addEventListener('abort', leave, { once: true });
        entry.admit = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        waiting.push(entry);
        admit();
      });
      let isTaken = true;
      return () => {
        free += isTaken ? size : 0;
        isTaken = false;
        admit();
      };
    },
  };
}

/** A semaphore for each of many owners; one that is not used takes no memory. */
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
      const leave = await own.semaphore.take(size, signal).catch((error: unknown) => {
        end();
        throw error;
      });
      if (!leave) {
        end();
        return undefined;
      }
      let isTaken = true;
      return () => {
        leave();
        if (isTaken) {
          end();
        }
        isTaken = false;
      };
    },
  });
}
