/**
 * The longest time in milliseconds that the event loop was blocked during some work.
 *
 * @param clock `processorClock` leaves out the time in which other processes ran, for work that does
 *   not wait. It also counts helper threads, such as those of the garbage collector, so a pause is
 *   never longer than its time on the wall.
 */
export async function measureLongestPause(
  work: () => Promise<unknown>,
  clock: () => number = wallClock,
): Promise<number> {
  let longest = 0;
  let last = { wall: wallClock(), own: clock() };
  const look = () => {
    const now = { wall: wallClock(), own: clock() };
    longest = Math.max(longest, Math.min(now.wall - last.wall, now.own - last.own));
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  clearInterval(timer);
  look();
  return longest;
}

const wallClock = () => performance.now();

/** CPU time of this process in milliseconds. */
export function processorClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
