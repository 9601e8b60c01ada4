import { createJsonMeter, type JsonLimits } from './json-meter.ts';

/**
 * A stream of mostly empty lines. The message completes "more than", like that of
 * `JsonLimitExceeded`.
 */
export class TooManyLines extends Error {}

/** Minimum average bytes per line; events have more. */
const bytesPerLine = 4;
/** Allowance for empty keep-alive lines, in bytes. */
const maxSpare = 40_000;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Applies JSON limits to each event of a `text/event-stream`, chunk by chunk. Data spread over
 * several `data:` lines counts together.
 *
 * @param unit what the limits apply to: an event, or each line if lines are messages
 * @returns consumes a chunk; throws `JsonLimitExceeded` or `TooManyLines`
 */
export function createEventMeter(
  limits: JsonLimits,
  unit: 'event' | 'line' = 'event',
): (chunk: Buffer) => void {
  const meter = createJsonMeter(limits);
  let spare = maxSpare;
  let lineBytes = 0;
  let endsWithReturn = false;
  const endLine = () => {
    spare -= bytesPerLine;
    if (spare < 0) {
      throw new TooManyLines(`${maxSpare / bytesPerLine} lines that are nearly empty`);
    }
    lineBytes === 0 || unit === 'line' ? meter.restart() : meter.endLine();
    lineBytes = 0;
  };
  return (chunk) => {
    spare = Math.min(spare, maxSpare) + chunk.length;
    const hasReturns = chunk.includes(carriageReturn);
    for (let from = 0; from < chunk.length; ) {
      const end = hasReturns ? findLineEnd(chunk, from) : chunk.indexOf(lineFeed, from);
      const isSecondHalf = end === from && endsWithReturn && chunk[end] === lineFeed;
      const line = chunk.subarray(from, end < 0 ? chunk.length : end);
      meter.read(line);
      lineBytes += line.length;
      if (end >= 0 && !isSecondHalf) {
        endLine();
      }
      endsWithReturn = end >= 0 && chunk[end] === carriageReturn;
      from = end < 0 ? chunk.length : end + 1;
    }
  };
}

function findLineEnd(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at += 1) {
    if (chunk[at] === lineFeed || chunk[at] === carriageReturn) {
      return at;
    }
  }
  return -1;
}
