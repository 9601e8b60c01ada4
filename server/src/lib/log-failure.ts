import type { Log } from './log.ts';

/**
 * The same function, but a failure goes to the log, with the first argument: for noting what has been
 * done already, and stays.
 */
export function logFailure<Args extends [unknown, ...unknown[]]>(
  note: (...args: Args) => Promise<void>,
  log: Log,
  message: string,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await note(...args);
    } catch (error) {
      log.error({ error, about: args[0] }, message);
    }
  };
}
