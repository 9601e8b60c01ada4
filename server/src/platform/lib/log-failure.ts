import type { Log } from './log.ts';

/**
 * Wraps a function so that failures are logged with its first argument: for records of actions that
 * cannot be undone.
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
