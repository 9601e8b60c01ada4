const firstMs = 1000;
const mostMs = 5 * 60_000;
/** By so much at most a wait is shortened, so that servers that failed together do not come back together. */
const jitter = 0.5;

/**
 * How long to leave a server alone that has failed so often in a row, in milliseconds: twice as long each
 * time, up to five minutes, less up to half of it at random.
 */
export function backOff(failures: number): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.max(0, failures - 1));
  return whole * (1 - jitter * Math.random());
}
