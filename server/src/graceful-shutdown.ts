import type { Log } from './platform/lib/log.ts';

/** Exit codes evaluated by `server/bin/supervise.mjs`, which restarts only crashed servers. */
export const exitCodes = {
  stopped: 0,
  /** A second signal forced an immediate exit. */
  cut: 1,
  /** An internal error, after a graceful shutdown: EX_SOFTWARE of sysexits.h. */
  died: 70,
  /** Startup rejected for a reported reason: EX_CONFIG. */
  refused: 78,
};

/**
 * npm and the supervisor forward a signal that the terminal also sends to all: the duplicate
 * arrives immediately.
 */
const echoMs = 1000;

/** An orphan exits within ten seconds, even with running turns. */
const orphanGraceMs = 8000;

/**
 * Shuts down gracefully: on a signal (a second one exits immediately), when the supervisor has
 * died, and after an uncaught error, since the state is unknown.
 *
 * @param close undefined while there is nothing to close; `isPlanned` unless caused by an error
 */
export function shutDownGracefully(
  log: Log,
  close: (isPlanned: boolean) => Promise<void> | undefined,
): void {
  let stoppingSince: number | undefined;
  const stop = (code: number) => {
    stoppingSince = performance.now();
    (close(code === exitCodes.stopped) ?? Promise.resolve()).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ error }, 'shutdown failed');
        process.exit(code === exitCodes.stopped ? exitCodes.cut : code);
      },
    );
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince === undefined) {
      log.info({ signal }, 'stopping; a second signal ends it at once');
      stop(exitCodes.stopped);
    } else if (performance.now() - stoppingSince > echoMs) {
      process.exit(exitCodes.cut);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('disconnect', () => {
    if (stoppingSince === undefined) {
      log.warn('stopping; the parent process has ended');
      stop(exitCodes.stopped);
      setTimeout(() => process.exit(exitCodes.cut), orphanGraceMs).unref();
    }
  });
  // Includes unhandled rejections.
  process.on('uncaughtException', (error) => {
    log.fatal({ error }, 'uncaught error; the server stops and is started again');
    if (stoppingSince === undefined) {
      stop(exitCodes.died);
    }
  });
}
