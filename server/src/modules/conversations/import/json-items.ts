const quote = 0x22;
const backslash = 0x5c;
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const listStart = 0x5b;

/**
 * Splits a JSON array into its objects and arrays, or yields a single top-level object, for parsing one by one.
 * Parsing everything at once can take ten times the memory. Yields nothing for other input.
 */
export function* jsonItems(bytes: Buffer): Generator<Buffer> {
  const start = bytes.findIndex((byte) => opening.has(byte));
  const base = bytes[start] === listStart ? 1 : 0;
  let depth = 0;
  let from = start;
  let isText = false;
  for (let at = Math.max(0, start); at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === backslash) {
        at += 1;
      } else if (byte === quote) {
        isText = false;
      }
    } else if (byte === quote) {
      isText = true;
    } else if (opening.has(byte)) {
      if (depth === base) {
        from = at;
      }
      depth += 1;
    } else if (closing.has(byte)) {
      depth -= 1;
      if (depth === base) {
        yield bytes.subarray(from, at + 1);
      }
    }
  }
}
