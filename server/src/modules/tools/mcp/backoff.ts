const firstMs = 1000;
const maxMs = 5 * 60_000;
/**
 * Jitter: shortens a wait by up to this share, so that servers that failed together do not
 * reconnect in lockstep.
 */
const jitter = 0.5;

/**
 * Exponential backoff in milliseconds after this many consecutive failures: doubles up to five
 * minutes, minus random jitter of up to half.
 */
export function getBackoffMs(failures: number): number {
  const whole = Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
  return whole * (1 - jitter * Math.random());
}
