import { Problem } from '@knowhow/shared/problem';
import { type DestinationStream, type Logger, pino } from 'pino';
import { errorCode } from './error-code.ts';

export type Log = Logger;

/** A logger that writes JSON lines to standard output, or to `destination`. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Of its cause only the code: what a provider has said may hold a key, and is without it in `reason`. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const { name, message, stack, cause } = error;
  const reason = error instanceof Problem ? error.reason : undefined;
  return { name, message, code: errorCode(error), reason, cause: errorCode(cause), stack };
}
