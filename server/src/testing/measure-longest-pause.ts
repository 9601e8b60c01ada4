/**
 * The longest time in milliseconds that the event loop was blocked during some work.
 *
 * @param clock in milliseconds; `processorClock` is independent of other load, for work that does
 *   not wait
 */
export async function measureLongestPause(
  work: () => Promise<unknown>,
  clock: () => number = () => performance.now(),
): Promise<number> {
  let longest = 0;
  let last = clock();
  const look = () => {
    const now = clock();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  clearInterval(timer);
  look();
  return longest;
}

/** CPU time of this process in milliseconds. */
export function processorClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
