import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

// The soak loads this into a server (`node --expose-gc --import`). On a signal it collects garbage and writes
// the memory in use to a file. The system's numbers are less reliable: V8 collects when it sees fit.

const reportPath = (pid: number) => join(tmpdir(), `knowhow-memory-${pid}`);

/** Node arguments that make a server report its memory. */
export const heldMemoryArgs = [
  '--expose-gc',
  `--import=${pathToFileURL(fileURLToPath(import.meta.url)).href}`,
];

if (globalThis.gc) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(reportPath(process.pid), String((heapUsed + external) / 1e6));
  });
}

/** Megabytes in use after garbage collection. */
export async function measureHeapMb(pid: number): Promise<number> {
  rmSync(reportPath(pid), { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(reportPath(pid))) {
    await wait(20);
  }
  await wait(20);
  const held = Number(readFileSync(reportPath(pid), 'utf8'));
  rmSync(reportPath(pid), { force: true });
  return held;
}
