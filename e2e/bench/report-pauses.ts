/**
 * Loaded into a server with `--import`: after each `SIGUSR2`, writes the longest pause of its event loop since the one
 * before, in milliseconds, to the file `longest-pause` in the data folder.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Milliseconds between two samples, which each sample includes. */
const resolution = 5;

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  const file = join(process.env.DATA_DIR ?? '', 'longest-pause');
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, String(Math.max(0, delays.max / 1_000_000 - resolution)));
    renameSync(`${file}.new`, file);
    delays.reset();
  });
}
