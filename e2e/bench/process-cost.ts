import { readdir, readFile, writeFile } from 'node:fs/promises';

/** Linux counts processor time in ticks of 10 ms (`USER_HZ`), on every architecture Node runs on. */
const tickMs = 10;

/** Processor time (user and system, all threads) of a process so far, in milliseconds. */
export async function getCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The command name, in brackets, may contain blanks, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Resident memory of a process, in MB of 1,000,000 bytes. */
export async function getResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}

/** Peak resident memory since the last `resetPeak`, in MB of 1,000,000 bytes. */
export async function getPeakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}

export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** Number of open file descriptors, including sockets. */
export async function countDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}
