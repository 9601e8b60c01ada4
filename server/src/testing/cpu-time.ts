/**
 * How long work keeps the processor busy, in milliseconds: what else the machine does meanwhile does
 * not count.
 */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
