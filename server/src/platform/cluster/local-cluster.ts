import { Cron } from 'croner';
import { createLog, type Log } from '../lib/log.ts';
import type { Cluster, LeakyCounts, Limiter, Slot, Slots } from './cluster.ts';
import { localLocks } from './local-locks.ts';

interface Options {
  /** Errors of scheduled work are logged here. */
  log?: Log;
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
  log = createLog('warn'),
  time = Date.now,
  steady = () => performance.now(),
}: Options = {}): LocalCluster {
  const withLock = localLocks();
  const leases = localLeases();
  return {
    withLock,
    ...localTopics(),
    isListening: () => true,
    ...leases,
    atStart: (name, work) => withLock(`start ${name}`, work),
    oneNode: (name, cron, work) => {
      const run = async () => {
        const lease = await leases.lease(name, {});
        if (lease) {
          try {
            await work(lease.lost);
          } finally {
            await lease.release();
          }
        }
      };
      const job = new Cron(cron, { protect: true }, () =>
        run().catch((error: unknown) =>
          log.warn({ error, schedule: name }, 'scheduled work failed'),
        ),
      );
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

interface Window {
  count: number;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** @param clock milliseconds since 1970; may be set back */
function localLimiter(seconds: number, clock: () => number): Limiter {
  const windowMs = seconds * 1000;
  const windows = new Map<string, Window>();
  // A window that ends too far in the future was created before the clock was set back.
  const isExpired = ({ endsAt }: Window, now: number) => endsAt <= now || endsAt > now + windowMs;
  /** The map is ordered by the start of windows. */
  const evictExpired = (now: number) => {
    for (const [key, window] of windows) {
      if (!isExpired(window, now)) {
        return;
      }
      windows.delete(key);
    }
  };
  return {
    add: async (key) => {
      const now = clock();
      let window = windows.get(key);
      if (!window || isExpired(window, now)) {
        windows.delete(key);
        evictExpired(now);
        window = { count: 0, endsAt: now + windowMs };
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, endsAt: new Date(window.endsAt) };
    },
  };
}

interface Entry {
  count: number;
  /** Time of that count. */
  time: number;
  added: number;
}

const maxEntries = 10_000;

/**
 * Keeps at most 10,000 counters and evicts the least recently increased.
 *
 * @param perMinute leak rate
 * @param clock monotonic, in milliseconds
 */
function localCounts(perMinute: () => number, clock: () => number): LeakyCounts {
  const entries = new Map<string, Entry>();
  const leak = ({ count, time }: Entry) =>
    Math.max(0, count - ((clock() - time) * perMinute()) / 60_000);
  const current = (key: string) => {
    const entry = entries.get(key);
    return { count: entry ? leak(entry) : 0, added: entry?.added ?? Number.NEGATIVE_INFINITY };
  };
  return {
    read: async (key) => {
      const { count, added } = current(key);
      return { count, age: clock() - added };
    },
    add: async (key) => {
      const { count } = current(key);
      // Reinserted, so that the map is ordered by last addition.
      entries.delete(key);
      entries.set(key, { count: count + 1, time: clock(), added: clock() });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) {
        entries.delete(oldest);
      }
    },
    takeBack: async (key) => {
      const entry = entries.get(key);
      if (entry) {
        entries.set(key, { ...entry, count: Math.max(0, leak(entry) - 1), time: clock() });
      }
    },
    forget: async (key) => {
      entries.delete(key);
    },
  };
}
