import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** A logger that writes JSON lines to standard output, or to `destination`. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err },
  };
  return destination ? pino(options, destination) : pino(options);
}
