import { unzipSync, zipSync } from 'fflate';

interface PartLimits {
  /** Unpacked size of all parts. */
  maxBytes: number;
  maxParts: number;
}

/** A document that unpacks to more than the limit (zip bomb). */
export class TooManyBytes extends Error {}

/**
 * Reads the wanted parts of a zipped document, by name. Enforces the declared size of each part.
 * Throws `TooManyBytes`, and an error for a file that is not a zip.
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

/** A zip of parts, for a library that accepts nothing else. */
export function packParts(parts: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return zipSync(Object.fromEntries(parts), { level: 0 });
}
