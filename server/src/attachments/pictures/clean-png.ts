import { type CleanPicture, partCounter } from './picture.ts';

/** What is seen, how, and how it moves. */
const kept: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
);
const signature = 8;
/** Length, name and check. */
const around = 12;

/** Throws a `RangeError` for a picture that is cut off, or does not begin with its size. */
export function cleanPng(bytes: Buffer): CleanPicture {
  const chunks = [bytes.subarray(0, signature)];
  const countPart = partCounter();
  for (let at = signature, name = ''; name !== 'IEND'; ) {
    countPart();
    const end = at + bytes.readUInt32BE(at) + around;
    name = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length) {
      throw new RangeError('A part of the picture is missing.');
    }
    if ((at === signature) !== (name === 'IHDR')) {
      throw new RangeError('The size of the picture is not at its beginning, or not there alone.');
    }
    if (kept.has(name)) {
      chunks.push(bytes.subarray(at, end));
    }
    at = end;
  }
  return {
    bytes: Buffer.concat(chunks),
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
  };
}
