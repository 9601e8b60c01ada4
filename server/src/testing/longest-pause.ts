/**
 * The longest time in which this process has answered nobody, in milliseconds, while something is done.
 *
 * @param clock in milliseconds; of what waits for nothing, `processorClock` is not misled by what else the
 *   machine does
 */
export async function longestPause(
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

/** Milliseconds of processor time that this process has used. */
export function processorClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
