import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knowhow } from '../start-knowhow.ts';
import { getCpuMs } from './process-cost.ts';
import { median } from './statistics.ts';

/** Plain reading of the same files varies by a factor of two between rounds. */
const rounds = 7;
/** After this time, startup cleanup has finished. */
const settledMs = 5000;

/** One server start, with plain reading of its files just before. Milliseconds. */
export interface Start {
  /** Cost of plain reading, in wall time and processor time. */
  reading: Cost;
  readyMs: number;
  cpuMs: number;
  /** Duration of each `/api/health` request until it was ready, except the first. */
  healthMs: number[];
}

interface Cost {
  ms: number;
  cpuMs: number;
}

/** Restarts several times, and waits for the last start to settle. */
export async function measureRestarts(
  knowhow: Knowhow,
  files: readonly string[],
): Promise<Start[]> {
  await readAll(files);
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round++) {
    starts.push({ reading: await readAll(files), ...(await restart(knowhow)) });
  }
  await wait(settledMs);
  return starts;
}

/** The median cost of the scan: in wall time and in processor time. */
export function scanCost(loaded: Start[], without: Start[]): { scan: Cost; ratio: Cost } {
  const scan = {
    ms: medianOf(loaded, 'readyMs') - medianOf(without, 'readyMs'),
    cpuMs: medianOf(loaded, 'cpuMs') - medianOf(without, 'cpuMs'),
  };
  const reading = (figure: keyof Cost) => median(loaded.map((start) => start.reading[figure]));
  return { scan, ratio: { ms: scan.ms / reading('ms'), cpuMs: scan.cpuMs / reading('cpuMs') } };
}

export function medianOf(starts: Start[], figure: 'readyMs' | 'cpuMs'): number {
  return median(starts.map((start) => start[figure]));
}

/** Processor time that an action costs the server, in milliseconds. */
export async function measureCost(
  knowhow: Knowhow,
  times: number,
  act: () => Promise<unknown>,
): Promise<number> {
  await act();
  await act();
  const spent: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = await getCpuMs(knowhow.pid);
    for (let time = 0; time < times; time++) {
      await act();
    }
    spent.push(((await getCpuMs(knowhow.pid)) - before) / times);
  }
  return median(spent);
}

export async function read(knowhow: Knowhow, path: string, cookie = ''): Promise<string> {
  return (await fetch(knowhow.url + path, { headers: { cookie } })).text();
}

/** Reads files in the simplest way, 32 at a time. */
async function readAll(files: readonly string[]): Promise<Cost> {
  const started = performance.now();
  const before = process.cpuUsage();
  let next = 0;
  const readNext = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      await readFile(file);
    }
  };
  await Promise.all(Array.from({ length: 32 }, readNext));
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1000 };
}

/** Restarts and polls health meanwhile, as a load balancer would. */
async function restart(knowhow: Knowhow): Promise<Omit<Start, 'reading'>> {
  await knowhow.end('SIGTERM');
  const started = performance.now();
  let ready = false;
  const running = knowhow.run().then(() => {
    ready = true;
  });
  const health: number[] = [];
  while (!ready) {
    const asked = performance.now();
    const answered = await fetch(`${knowhow.url}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) {
      health.push(performance.now() - asked);
    }
    await wait(5);
  }
  await running;
  const readyMs = performance.now() - started;
  // A process's first response includes startup costs besides the skills.
  return { readyMs, cpuMs: await getCpuMs(knowhow.pid), healthMs: health.slice(1) };
}
