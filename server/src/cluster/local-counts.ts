import type { LeakyCounts } from './cluster.ts';

interface Entry {
  count: number;
  /** When that was so. */
  time: number;
  added: number;
}

const maxKept = 10_000;

/**
 * Keeps ten thousand of them; of more, those are forgotten that were added to longest ago.
 *
 * @param perMinute how much runs out of each
 * @param clock milliseconds that never go back
 */
export function localCounts(perMinute: () => number, clock: () => number): LeakyCounts {
  const entries = new Map<string, Entry>();
  const left = ({ count, time }: Entry) =>
    Math.max(0, count - ((clock() - time) * perMinute()) / 60_000);
  const current = (key: string) => {
    const entry = entries.get(key);
    return { count: entry ? left(entry) : 0, added: entry?.added ?? Number.NEGATIVE_INFINITY };
  };
  return {
    read: async (key) => {
      const { count, added } = current(key);
      return { count, age: clock() - added };
    },
    add: async (key) => {
      const { count } = current(key);
      // Taken out first, so that the map stays in the order of the last addition.
      entries.delete(key);
      entries.set(key, { count: count + 1, time: clock(), added: clock() });
      const [oldest] = entries.keys();
      if (entries.size > maxKept && oldest !== undefined) {
        entries.delete(oldest);
      }
    },
    takeBack: async (key) => {
      const entry = entries.get(key);
      if (entry) {
        entries.set(key, { ...entry, count: Math.max(0, left(entry) - 1), time: clock() });
      }
    },
    forget: async (key) => {
      entries.delete(key);
    },
  };
}
