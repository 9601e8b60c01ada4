import type { Log } from './lib/log.ts';

/** What `server/bin/supervise.mjs` goes by: it starts again what has died, and nothing else. */
export const exitCodes = {
  stopped: 0,
  /** A second signal did not let it stop in good order. */
  cut: 1,
  /** A fault of ours, after everything was stopped: EX_SOFTWARE of sysexits.h. */
  died: 70,
  /** The start is refused for a reason that was stated: EX_CONFIG. */
  refused: 78,
};

/** npm and the supervisor pass on a signal that the terminal sends to all: it comes again in the same moment. */
const echoMs = 1000;

/** An orphan ends within ten seconds, even if answers still run. */
const orphanGraceMs = 8000;

/**
 * Ends the process in good order: on a signal (on a second one at once), when whoever supervises it has
 * gone, and after an error that nobody has caught, since what it has left behind is not known.
 *
 * @param close undefined when there is nothing to close yet; `isPlanned` unless an error ends the process
 */
export function stopInOrder(
  log: Log,
  close: (isPlanned: boolean) => Promise<void> | undefined,
): void {
  let since: number | undefined;
  const stop = (code: number) => {
    since = performance.now();
    (close(code === exitCodes.stopped) ?? Promise.resolve()).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ error }, 'the stop has failed');
        process.exit(code === exitCodes.stopped ? exitCodes.cut : code);
      },
    );
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      log.info({ signal }, 'stopping; a second signal ends it at once');
      stop(exitCodes.stopped);
    } else if (performance.now() - since > echoMs) {
      process.exit(exitCodes.cut);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('disconnect', () => {
    if (since === undefined) {
      log.warn('stopping; the parent process has ended');
      stop(exitCodes.stopped);
      setTimeout(() => process.exit(exitCodes.cut), orphanGraceMs).unref();
    }
  });
  // Rejections that nobody handles come here, too.
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'uncaught error; the server stops and is started again');
    if (since === undefined) {
      stop(exitCodes.died);
    }
  });
}
