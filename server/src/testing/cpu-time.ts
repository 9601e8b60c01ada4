/** CPU time of synchronous work in milliseconds, independent of other load on the machine. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return busySince(before);
}

/** The same for asynchronous work. */
export async function cpuTimeUntilDone(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return busySince(before);
}

function busySince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
