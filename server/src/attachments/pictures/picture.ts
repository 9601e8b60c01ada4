/** A picture without what was written into it beside what is seen. */
export interface CleanPicture {
  bytes: Buffer;
  width: number;
  height: number;
}

const mostParts = 10_000;

/** To be called for each part of a picture. Throws a `RangeError` for more than any program writes: each takes time. */
export function partCounter(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > mostParts) {
      throw new RangeError('The picture has too many parts.');
    }
  };
}
