import { Cron } from 'croner';
import type { Cluster, Slot, Slots } from './cluster.ts';
import { localCounts } from './local-counts.ts';
import { localLimiter } from './local-limiter.ts';
import { localLocks } from './local-locks.ts';

interface Clocks {
  /** Milliseconds since 1970; may be set back. */
  time?: () => number;
  /** Monotonic clock in milliseconds. */
  steady?: () => number;
}

/** In a single process a lease is only lost if `endLease` simulates it. */
interface LocalCluster extends Cluster {
  endLease(name: string): void;
}

/** A cluster of one process, entirely in memory. */
export function createLocalCluster({
  time = Date.now,
  steady = () => performance.now(),
}: Clocks = {}): LocalCluster {
  const withLock = localLocks();
  const leases = localLeases();
  return {
    withLock,
    ...localTopics(),
    isListening: () => true,
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
  const leases = new Map<string, { data: unknown; loss: AbortController }>();
  return {
    lease: async (name, data) => {
      if (leases.has(name)) {
        return undefined;
      }
      const own = { data, loss: new AbortController() };
      leases.set(name, own);
      const removeLease = () => {
        if (leases.get(name) === own) {
          leases.delete(name);
        }
      };
      return { ...releaseOnce(removeLease), lost: own.loss.signal };
    },
    holder: async (name) => leases.get(name)?.data,
    endLease: (name) => {
      const own = leases.get(name);
      leases.delete(name);
      own?.loss.abort();
    },
  };
}

function localSlots(): Slots {
  const slots = new Map<string, number>();
  return {
    take: async (key, most) => {
      const own = slots.get(key) ?? 0;
      if (own >= most) {
        return undefined;
      }
      slots.set(key, own + 1);
      return releaseOnce(() => {
        const remaining = (slots.get(key) ?? 1) - 1;
        if (remaining > 0) {
          slots.set(key, remaining);
        } else {
          slots.delete(key);
        }
      });
    },
  };
}

/** Releases only once, regardless of how often it is called. */
function releaseOnce(removeLease: () => void): Slot {
  let isReleased = false;
  return {
    release: async () => {
      if (!isReleased) {
        isReleased = true;
        removeLease();
      }
    },
  };
}
