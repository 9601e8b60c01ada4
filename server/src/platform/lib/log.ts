import { Problem } from '@knowhow/shared/problem';
import { type DestinationStream, type Logger, pino } from 'pino';
import { errorCode } from './error-code.ts';

export type Log = Logger;

/** A logger that writes one JSON object per line to standard output, or to `destination`. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** A human-readable destination: time, level, message and fields on one line. */
export function prettyDestination(out: Pick<NodeJS.WriteStream, 'write'>): DestinationStream {
  return {
    write: (line) => {
      const { level, time, msg = '', ...fields } = JSON.parse(line);
      const clock = new Date(time).toTimeString().slice(0, 8);
      const label = pino.levels.labels[level] ?? level;
      const rest = Object.entries(fields).map(([name, value]) => `${name}=${writtenField(value)}`);
      out.write(`${[clock, label, msg, ...rest].join(' ')}\n`);
    },
  };
}

function writtenField(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@*-]+$/.test(value) ? value : JSON.stringify(value);
}

/** Redirects Node's process warnings from standard error to the log. */
export function logProcessWarnings(log: Log): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack }) => log.warn({ name, stack }, message));
}

/** Only the code of the cause: its message may contain an API key, and `reason` has it redacted. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const { name, message, stack, cause } = error;
  const reason = error instanceof Problem ? error.reason : undefined;
  return { name, message, code: errorCode(error), reason, cause: errorCode(cause), stack };
}
