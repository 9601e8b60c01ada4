import { AsyncLocalStorage } from 'node:async_hooks';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import type { Cluster } from './cluster.ts';

type Queue = ReturnType<typeof limitConcurrency>;

/** A held lock, within the async context of its holder. */
interface Held {
  name: string;
  /** Serialises nested work of the holder, which must not wait for the lock itself. */
  queue: Queue;
  outer: Held | undefined;
  isReleased: boolean;
}

interface Shared {
  queue: Queue;
  /** Number of running and waiting callers. */
  users: number;
}

export function localLocks(): Cluster['withLock'] {
  const shared = new Map<string, Shared>();
  const heldLocks = new AsyncLocalStorage<Held | undefined>();
  let holders = 0;

  const runQueued = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const lock = shared.get(name) ?? { queue: limitConcurrency(1), users: 0 };
    shared.set(name, lock);
    lock.users += 1;
    try {
      return await lock.queue(work);
    } finally {
      lock.users -= 1;
      if (lock.users === 0) {
        shared.delete(name);
      }
    }
  };
  return (name, work) => {
    const outer = heldLocks.getStore();
    const held: Held = { name, queue: limitConcurrency(1), outer, isReleased: false };
    const run = () => {
      holders += 1;
      return heldLocks.run(held, work).finally(() => {
        held.isReleased = true;
        holders -= 1;
        if (holders === 0) {
          // While enabled, it adds overhead to every promise in the process.
          heldLocks.disable();
        }
      });
    };
    const own = findHeld(outer, name);
    return own ? own.queue(run) : runQueued(name, run);
  };
}

/** Work that outlives the lock no longer holds it. */
function findHeld(held: Held | undefined, name: string): Held | undefined {
  if (!held || (held.name === name && !held.isReleased)) {
    return held;
  }
  return findHeld(held.outer, name);
}
