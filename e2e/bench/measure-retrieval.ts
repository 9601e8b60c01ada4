import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Gives the exit code. The figures, and what is wrong without a folder, are said by the command. */
export function measureRetrieval(directory: string | undefined): number {
  // As compiled it lies one folder deeper, in e2e/dist/bench.
  const command = fileURLToPath(new URL('../../../server/bin/knowhow.mjs', import.meta.url));
  const args = directory === undefined ? [] : [resolve(directory)];
  const { status } = spawnSync(process.execPath, [command, 'retrieval', ...args], {
    stdio: 'inherit',
  });
  return status ?? 1;
}
