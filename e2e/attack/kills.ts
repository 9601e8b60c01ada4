import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repositoryRoot } from '../start-knowhow.ts';

/**
 * Kills servers during writes of every kind, `count` times, like `server/src/app.crash.test.ts` on a larger
 * scale. After each restart, no acknowledged write is missing or partial. Returns whether it failed; the test
 * prints how.
 */
export async function killRepeatedly(count: number, seed: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'thorough',
      'server/src/app.crash.test.ts',
    ],
    {
      cwd: repositoryRoot,
      stdio: 'inherit',
      env: { ...process.env, CRASHES: String(count), SEED: String(seed) },
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code !== 0;
}
