import { Cron } from 'croner';
import type { Cluster, Slot, Slots } from './cluster.ts';
import { localCounts } from './local-counts.ts';
import { localLimiter } from './local-limiter.ts';
import { localLocks } from './local-locks.ts';

interface Clocks {
  /** Milliseconds since 1970, that may be set back. */
  time?: () => number;
  /** Milliseconds that never go back. */
  steady?: () => number;
}

/** In one process nobody loses a lease, unless it is taken away, as a database might. */
interface LocalCluster extends Cluster {
  endLease(name: string): void;
}

/** The cluster of one process: all of it is in memory, and ends with it. */
export function createLocalCluster({
  time = Date.now,
  steady = () => performance.now(),
}: Clocks = {}): LocalCluster {
  const withLock = localLocks();
  const leases = localLeases();
  return {
    withLock,
    ...localTopics(),
    ...leases,
    atStart: (name, work) => withLock(`start ${name}`, work),
    oneNode: (name, cron, work) => {
      const job = new Cron(cron, { protect: true }, async () => {
        const lease = await leases.lease(name, {});
        if (lease) {
          try {
            await work(lease.lost);
          } finally {
            await lease.release();
          }
        }
      });
      return { nextRun: () => job.nextRun() ?? undefined, stop: () => job.stop() };
    },
    limiter: (_name, seconds) => localLimiter(seconds, time),
    leakyCounts: (_name, perMinute) => localCounts(perMinute, steady),
    slots: localSlots,
  };
}

function localTopics(): Pick<Cluster, 'publish' | 'subscribe'> {
  const topics = new Map<string, Set<(message: string) => void>>();
  return {
    publish: async (topic, message) => {
      for (const listener of topics.get(topic) ?? []) {
        listener(message);
      }
    },
    subscribe: (topic, listener) => {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

function localLeases(): Pick<LocalCluster, 'lease' | 'holder' | 'endLease'> {
  const held = new Map<string, { data: unknown; loss: AbortController }>();
  return {
    lease: async (name, data) => {
      if (held.has(name)) {
        return undefined;
      }
      const own = { data, loss: new AbortController() };
      held.set(name, own);
      const giveBack = () => {
        if (held.get(name) === own) {
          held.delete(name);
        }
      };
      return { ...releasing(giveBack), lost: own.loss.signal };
    },
    holder: async (name) => held.get(name)?.data,
    endLease: (name) => {
      const own = held.get(name);
      held.delete(name);
      own?.loss.abort();
    },
  };
}

function localSlots(): Slots {
  const taken = new Map<string, number>();
  return {
    take: async (key, most) => {
      const own = taken.get(key) ?? 0;
      if (own >= most) {
        return undefined;
      }
      taken.set(key, own + 1);
      return releasing(() => {
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) {
          taken.set(key, left);
        } else {
          taken.delete(key);
        }
      });
    },
  };
}

/** Gives back once, however often it is asked to. */
function releasing(giveBack: () => void): Slot {
  let isReleased = false;
  return {
    release: async () => {
      if (!isReleased) {
        isReleased = true;
        giveBack();
      }
    },
  };
}
