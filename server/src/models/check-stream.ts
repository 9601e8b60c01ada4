import { ModelFailure } from './model-failure.ts';

/** No protocol nests so deep; some clients take minutes for what does. */
const maxDepth = 200;
/** In bytes: what a line of fewer nests takes no time. Nearly all lines of an answer are shorter. */
const shortLine = 1000;
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
export function checkStream(): (chunk: Buffer) => void {
  const line: Line = { spare: maxSpare, depth: 0, quoted: false, escaped: false };
  let isNewLine = true;
  return (chunk) => {
    line.spare = Math.min(line.spare, maxSpare) + chunk.length;
    if (chunk.includes(carriageReturn)) {
      readBytes(line, chunk);
      isNewLine = false;
      return;
    }
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(lineFeed, from);
      const next = end < 0 ? chunk.length : end + 1;
      if (isNewLine && end >= 0 && next - from <= shortLine) {
        line.spare -= bytesPerLine;
        refuseIf(line.spare < 0);
      } else {
        readBytes(line, chunk.subarray(from, next));
      }
      isNewLine = end >= 0;
      from = next;
    }
  };
}

interface Line {
  /** Bytes that are left for line ends. */
  spare: number;
  depth: number;
  quoted: boolean;
  escaped: boolean;
}

function readBytes(line: Line, bytes: Uint8Array): void {
  let { spare, depth, quoted, escaped } = line;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
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
    refuseIf(depth > maxDepth || spare < 0);
  }
  Object.assign(line, { spare, depth, quoted, escaped });
}

function refuseIf(isNoAnswer: boolean): void {
  if (isNoAnswer) {
    throw new ModelFailure({ kind: 'garbage' });
  }
}

/** By byte: what brackets and braces change. */
const levels = new Int8Array(256)
  .fill(1, 91, 92)
  .fill(1, 123, 124)
  .fill(-1, 93, 94)
  .fill(-1, 125, 126);
