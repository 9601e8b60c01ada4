import type { Limiter } from './cluster.ts';

interface Window {
  count: number;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** @param clock milliseconds since 1970; may be set back */
export function localLimiter(seconds: number, clock: () => number): Limiter {
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
