import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { isReady, type Knowhow, repositoryRoot } from '../start-knowhow.ts';

/**
 * Milliseconds from spawning `npm start` until `/api/ready` returns 200, polled every 5 ms. Replaces a
 * Knowhow that has ended: same port, contents and data.
 */
export async function warmStartMs(knowhow: Knowhow): Promise<number> {
  // As in most starts: an admin password is only set for the first one.
  const { ADMIN_PASSWORD: _, ...env } = knowhow.env;
  const started = performance.now();
  // npm starts child processes, so it leads a process group that is killed as a whole.
  const npm = spawn('npm', ['start'], {
    cwd: repositoryRoot,
    env,
    stdio: 'ignore',
    detached: true,
  });
  const exited = once(npm, 'exit');
  try {
    while (!(await isReady(knowhow.url))) {
      if (npm.exitCode !== null || performance.now() - started > 60_000) {
        throw new Error('npm start did not become ready.');
      }
      await wait(5);
    }
    return performance.now() - started;
  } finally {
    endGroup(npm.pid);
    await exited;
  }
}

function endGroup(leader: number | undefined): void {
  try {
    process.kill(-(leader ?? Number.NaN), 'SIGKILL');
  } catch {
    // It has already exited.
  }
}
