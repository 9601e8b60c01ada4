import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a `knowhow` command in its own process, which prints its measurements. Returns its exit code. */
export function runKnowhow(args: readonly string[], environment = {}): number {
  // Compiled code is one folder deeper, in e2e/dist/bench.
  const command = fileURLToPath(new URL('../../../server/bin/knowhow.mjs', import.meta.url));
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, [command, ...args], { stdio: 'inherit', env }).status ?? 1;
}
