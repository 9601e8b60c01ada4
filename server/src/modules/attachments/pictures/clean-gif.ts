import type { CleanPicture } from './picture.ts';

/** GIFs have no location metadata, so only the size is read. Throws `RangeError` if truncated. */
export function cleanGif(bytes: Buffer): CleanPicture {
  return { bytes, width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}
