import { ModelFailure } from './model-failure.ts';

/** No protocol nests so deep; some clients take minutes for what does. */
const maxDepth = 200;
/** An event's lines have some bytes each; a few empty ones more may keep a connection alive. */
const bytesPerLine = 4;
const maxSpare = 40_000;

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const backslash = 92;

/**
 * Looks at the bytes of a stream of events before a vendor's client does, whose time for what is no
 * answer has no bound. Throws a `ModelFailure` when they are line ends for the most part, or hold JSON
 * that nests without end.
 */
export function checkStream(): (chunk: Uint8Array) => void {
  let spare = maxSpare;
  let depth = 0;
  let quoted = false;
  let escaped = false;
  return (chunk) => {
    spare = Math.min(spare, maxSpare) + chunk.length;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === lineFeed || byte === carriageReturn) {
        spare -= bytesPerLine;
        depth = 0;
        quoted = false;
        escaped = false;
      } else if (quoted) {
        quoted = escaped || byte !== quote;
        escaped = !escaped && byte === backslash;
      } else if (byte === quote) {
        quoted = true;
      } else {
        depth += levels[byte] ?? 0;
      }
      if (depth > maxDepth || spare < 0) {
        throw new ModelFailure({ kind: 'garbage' });
      }
    }
  };
}

/** By byte: what brackets and braces change. */
const levels = new Int8Array(256)
  .fill(1, 91, 92)
  .fill(1, 123, 124)
  .fill(-1, 93, 94)
  .fill(-1, 125, 126);
