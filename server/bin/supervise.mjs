// Supervises the server. Plain JavaScript without dependencies: this process runs as long as the server, so
// it has to stay small.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The bundled server. */
export const serverScript = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Graceful shutdown, forced shutdown, and a refused start whose reason was logged. */
const finalCodes = [0, 1, 78];
const minBackoffMs = 1000;
const maxBackoffMs = 30_000;
/** A server that ran this long did not crash on startup. */
const stableAfterMs = 60_000;
const launcherCheckMs = 500;
/** An orphan ends within ten seconds: a second signal then aborts running answers. */
const orphanGraceMs = 8000;

/**
 * Runs a Node script in a child process and restarts it after a crash, with exponential backoff from 1 to 30
 * seconds. Ends when the script ends on purpose. Forwards signals. If this process dies, the script sees its
 * IPC channel close, and stops.
 *
 * @param isOrphaned whether the launching process has ended; if so, shuts down as on SIGTERM
 */
export function supervise(script, isOrphaned = () => false) {
  let child;
  let isStopping = false;
  let backoffMs = minBackoffMs;
  let restartTimer;

  const run = () => {
    const startedAt = performance.now();
    child = spawn(process.execPath, [...process.execArgv, script], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    child.once('error', (error) => end(`The server could not be started: ${error.message}`, 1));
    child.once('exit', (code, signal) => {
      if (isStopping || finalCodes.includes(code)) {
        process.exit(code ?? 128 + constants.signals[signal]);
      }
      backoffMs = performance.now() - startedAt > stableAfterMs ? minBackoffMs : backoffMs;
      say(
        `The server has died (${signal ?? `code ${code}`}). It starts again in ${backoffMs / 1000} s.`,
      );
      restartTimer = setTimeout(run, backoffMs);
      backoffMs = Math.min(2 * backoffMs, maxBackoffMs);
      child = undefined;
    });
  };

  const stop = (signal) => {
    isStopping = true;
    clearTimeout(restartTimer);
    if (child) {
      child.kill(signal);
    } else {
      process.exit(0);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => stop(signal));
  }
  const launcherCheck = setInterval(() => {
    if (isOrphaned()) {
      clearInterval(launcherCheck);
      stop('SIGTERM');
      setTimeout(() => stop('SIGTERM'), orphanGraceMs);
    }
  }, launcherCheckMs);
  run();
}

function end(text, code) {
  say(text);
  process.exit(code);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
