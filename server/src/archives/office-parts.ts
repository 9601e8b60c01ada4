import { unzipSync, zipSync } from 'fflate';

interface PartLimits {
  /** Of all parts together, unpacked. */
  maxBytes: number;
  maxParts: number;
}

/** A document that unpacks to more than is read of one. */
export class TooManyBytes extends Error {}

/**
 * The wanted parts of a document that is a zip, by their names. What a part says of its size holds: one that has more
 * is not read. Throws `TooManyBytes`, and an error for what is no zip.
 */
export function readParts(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  { maxBytes, maxParts }: PartLimits,
): Map<string, Uint8Array> {
  let size = 0;
  let count = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!isWanted(name)) {
      return false;
    }
    size += originalSize;
    count += 1;
    if (size > maxBytes || count > maxParts) {
      throw new TooManyBytes();
    }
    return true;
  };
  return new Map(Object.entries(unzipSync(bytes, { filter })));
}

/** A zip of parts, for a library that takes nothing else. */
export function packParts(parts: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return zipSync(Object.fromEntries(parts), { level: 0 });
}
