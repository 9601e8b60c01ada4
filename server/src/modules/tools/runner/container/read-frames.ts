/**
 * Demultiplexes an engine's output stream, whose frames have a header with the stream number and
 * length.
 *
 * @returns consumes a chunk; false if the format is invalid
 */
export function readFrames(
  take: (stream: 'out' | 'err', bytes: Buffer) => void,
): (chunk: Buffer) => boolean {
  const header = Buffer.alloc(8);
  let filled = 0;
  let rest = 0;
  return (chunk) => {
    let pending = chunk;
    while (pending.length > 0) {
      if (rest > 0) {
        const bytes = pending.subarray(0, rest);
        take(header[0] === 2 ? 'err' : 'out', bytes);
        rest -= bytes.length;
        pending = pending.subarray(bytes.length);
        continue;
      }
      const part = pending.copy(header, filled, 0, header.length - filled);
      filled += part;
      pending = pending.subarray(part);
      if (filled === header.length) {
        if (!isHeader(header)) {
          return false;
        }
        rest = header.readUInt32BE(4);
        filled = 0;
      }
    }
    return true;
  };
}

function isHeader(header: Buffer): boolean {
  return (header[0] ?? 3) <= 2 && header.subarray(1, 4).every((byte) => byte === 0);
}
