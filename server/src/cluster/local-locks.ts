import { AsyncLocalStorage } from 'node:async_hooks';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import type { Cluster } from './cluster.ts';

type Queue = ReturnType<typeof limitConcurrency>;

/** A lock that is held, by whoever runs within. */
interface Held {
  name: string;
  /** For what its holder runs under it: that never waits for the lock itself. */
  queue: Queue;
  outer: Held | undefined;
  isOver: boolean;
}

interface Shared {
  queue: Queue;
  /** Running and waiting. */
  users: number;
}

export function localLocks(): Cluster['withLock'] {
  const shared = new Map<string, Shared>();
  const holding = new AsyncLocalStorage<Held | undefined>();
  let holders = 0;

  const inQueue = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
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
    const outer = holding.getStore();
    const held: Held = { name, queue: limitConcurrency(1), outer, isOver: false };
    const run = () => {
      holders += 1;
      return holding.run(held, work).finally(() => {
        held.isOver = true;
        holders -= 1;
        if (holders === 0) {
          // As long as it is on, it costs each promise of the process something.
          holding.disable();
        }
      });
    };
    const own = findHeld(outer, name);
    return own ? own.queue(run) : inQueue(name, run);
  };
}

/** What was begun under a lock and outlives it holds it no more. */
function findHeld(held: Held | undefined, name: string): Held | undefined {
  if (!held || (held.name === name && !held.isOver)) {
    return held;
  }
  return findHeld(held.outer, name);
}
