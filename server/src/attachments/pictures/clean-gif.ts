import type { CleanPicture } from './picture.ts';

/** It holds no places: only its size is looked at. Throws a `RangeError` for one that is cut off. */
export function cleanGif(bytes: Buffer): CleanPicture {
  return { bytes, width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}
