/** An image without metadata. */
export interface CleanPicture {
  bytes: Buffer;
  width: number;
  height: number;
}

const maxParts = 10_000;

/**
 * Call for each part of an image. Throws `RangeError` above a number no program writes, since each
 * takes time.
 */
export function partCounter(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > maxParts) {
      throw new RangeError('The picture has too many parts.');
    }
  };
}
