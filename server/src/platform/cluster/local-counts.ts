import type { LeakyCounts } from './cluster.ts';

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
export function localCounts(perMinute: () => number, clock: () => number): LeakyCounts {
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
