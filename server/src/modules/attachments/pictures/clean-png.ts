import { type CleanPicture, partCounter } from './picture.ts';

/** Allowlist of chunks: pixels, colours and animation. */
const allowedChunks: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
);
const signature = 8;
/** Length, name and checksum. */
const chunkOverhead = 12;

/** Throws `RangeError` if truncated, or if it does not start with its size. */
export function cleanPng(bytes: Buffer): CleanPicture {
  const chunks = [bytes.subarray(0, signature)];
  const countPart = partCounter();
  for (let at = signature, name = ''; name !== 'IEND'; ) {
    countPart();
    const end = at + bytes.readUInt32BE(at) + chunkOverhead;
    name = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length) {
      throw new RangeError('The image is truncated.');
    }
    if ((at === signature) !== (name === 'IHDR')) {
      throw new RangeError('The image does not start with its size, or has several.');
    }
    if (allowedChunks.has(name)) {
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
