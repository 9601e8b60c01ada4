/**
 * How long work keeps the processor busy, in milliseconds: what else the machine does meanwhile does
 * not count.
 */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return busySince(before);
}

/** The same of work that has pauses. */
export async function cpuTimeUntilDone(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return busySince(before);
}

function busySince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
