// Keeps the server running. Plain JavaScript without dependencies: it is beside the server as long
// as that runs, so it has to be small.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The bundled server. */
export const serverScript = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Ended as it was asked to, immediately as it was asked to, or refused to start for a reason it has stated. */
const finalCodes = [0, 1, 78];
const firstPauseMs = 1000;
const longestPauseMs = 30_000;
/** A server that ran for so long did not die of its start. */
const steadyMs = 60_000;
const launcherCheckMs = 500;
/** An orphan ends within ten seconds: a second signal then cuts off the answers that are still running. */
const orphanGraceMs = 8000;

/**
 * Runs a script of Node in a process of its own, and starts it again when it has died: after a second,
 * then after twice as long each time, up to 30 seconds. Ends as the script does when that is meant.
 * Signals are passed on. Should this process die, the script sees the channel to it break, and stops.
 *
 * @param isOrphaned whether the process that launched this one has ended; then everything stops, as on SIGTERM
 */
export function supervise(script, isOrphaned = () => false) {
  let child;
  let isStopping = false;
  let pauseMs = firstPauseMs;
  let pause;

  const run = () => {
    const since = performance.now();
    child = spawn(process.execPath, [...process.execArgv, script], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    child.once('error', (error) => end(`The server cannot be run: ${error.message}`, 1));
    child.once('exit', (code, signal) => {
      if (isStopping || finalCodes.includes(code)) {
        process.exit(code ?? 128 + constants.signals[signal]);
      }
      pauseMs = performance.now() - since > steadyMs ? firstPauseMs : pauseMs;
      say(
        `The server has died (${signal ?? `code ${code}`}). It starts again in ${pauseMs / 1000} s.`,
      );
      pause = setTimeout(run, pauseMs);
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      child = undefined;
    });
  };

  const stop = (signal) => {
    isStopping = true;
    clearTimeout(pause);
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
