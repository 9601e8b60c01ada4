import { existsSync, readFileSync } from 'node:fs';

/** CPU time of synchronous work in milliseconds, independent of other load on the machine. */
export function cpuTime(work: () => unknown): number {
  const before = readThreadTime();
  work();
  return readThreadTime() - before;
}

/** The same for asynchronous work, including that of other threads of this process. */
export async function cpuTimeUntilDone(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const threadStatistics = '/proc/thread-self/schedstat';
const hasThreadStatistics = existsSync(threadStatistics);

/**
 * CPU time of this thread in milliseconds; the whole process's where the system has no such file. A process's time
 * includes threads that compile code and collect garbage, which start at any moment.
 */
export function readThreadTime(): number {
  if (hasThreadStatistics) {
    return Number(readFileSync(threadStatistics, 'utf8').split(' ')[0]) / 1e6;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
