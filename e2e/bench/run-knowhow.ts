import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a command of `knowhow` in a process of its own, which prints what it measures. Gives its exit code. */
export function runKnowhow(args: readonly string[], environment = {}): number {
  // As compiled it is one folder deeper, in e2e/dist/bench.
  const command = fileURLToPath(new URL('../../../server/bin/knowhow.mjs', import.meta.url));
  const env = { ...process.env, ...environment };
  return spawnSync(process.execPath, [command, ...args], { stdio: 'inherit', env }).status ?? 1;
}
