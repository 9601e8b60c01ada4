const shortest = 500;
const longest = 15_000;

/**
 * Waits before a retry: exponential backoff from 0.5 to 15 s, with jitter. Ends at once when the network returns
 * or the page becomes visible. Throws when it is aborted.
 */
export function backOff(failures: number, signal: AbortSignal): Promise<void> {
  const wait = Math.min(longest, shortest * 2 ** failures) * (0.75 + Math.random() / 2);
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      if (signal.aborted) {
        reject(signal.reason);
      }
      resolve();
    };
    const timer = setTimeout(end, wait);
    const options = { signal: over.signal };
    window.addEventListener('online', end, options);
    document.addEventListener('visibilitychange', () => document.hidden || end(), options);
    signal.addEventListener('abort', end, options);
    if (signal.aborted) {
      end();
    }
  });
}
