import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Loaded into a server by the soak (`node --expose-gc --import`): on a signal it collects all garbage
// and writes down what is held. What the system counts says less: V8 collects when it likes to.

const fileOf = (pid: number) => join(tmpdir(), `knowhow-memory-${pid}`);

/** What makes a server report. */
export const heldMemoryArgs = [
  '--expose-gc',
  `--import=${pathToFileURL(fileURLToPath(import.meta.url)).href}`,
];

if (globalThis.gc) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(fileOf(process.pid), String((heapUsed + external) / 1e6));
  });
}

/** Megabytes that a server holds when all garbage has been collected. */
export async function heldMbOf(pid: number): Promise<number> {
  rmSync(fileOf(pid), { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(fileOf(pid))) {
    await wait(20);
  }
  await wait(20);
  const held = Number(readFileSync(fileOf(pid), 'utf8'));
  rmSync(fileOf(pid), { force: true });
  return held;
}
