import type { Limiter } from './cluster.ts';

interface Window {
  count: number;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** @param clock milliseconds since 1970, that may be set back */
export function localLimiter(seconds: number, clock: () => number): Limiter {
  const windowMs = seconds * 1000;
  const windows = new Map<string, Window>();
  // One that would take longer than a window is of a time before the clock was set back.
  const isOver = ({ endsAt }: Window, now: number) => endsAt <= now || endsAt > now + windowMs;
  /** The map is in the order in which windows began. */
  const forgetOld = (now: number) => {
    for (const [key, window] of windows) {
      if (!isOver(window, now)) {
        return;
      }
      windows.delete(key);
    }
  };
  return {
    add: async (key) => {
      const now = clock();
      let window = windows.get(key);
      if (!window || isOver(window, now)) {
        windows.delete(key);
        forgetOld(now);
        window = { count: 0, endsAt: now + windowMs };
        windows.set(key, window);
      }
      window.count += 1;
      return { count: window.count, endsAt: new Date(window.endsAt) };
    },
  };
}
