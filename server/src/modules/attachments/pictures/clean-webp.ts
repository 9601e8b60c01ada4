import { type CleanPicture, partCounter } from './picture.ts';

const header = 12;
/** Flags of the extended format. */
const exif = 0x08;
const xmp = 0x04;

/** Throws `RangeError` if truncated. */
export function cleanWebp(bytes: Buffer): CleanPicture {
  const chunks: Buffer[] = [];
  let size = { width: 0, height: 0 };
  const countPart = partCounter();
  for (let at = header; at + 8 <= bytes.length; ) {
    countPart();
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (at + 8 + length > bytes.length) {
      throw new RangeError('The image is truncated.');
    }
    const chunk = Buffer.from(bytes.subarray(at, Math.min(end, bytes.length)));
    if (name === 'VP8X') {
      chunk.writeUInt8(chunk.readUInt8(8) & ~(exif | xmp), 8);
    }
    if (size.width === 0) {
      size = sizeIn(name, chunk) ?? size;
    }
    if (name !== 'EXIF' && name !== 'XMP ') {
      chunks.push(chunk);
    }
    at = end;
  }
  const body = Buffer.concat(chunks);
  const head = Buffer.from(bytes.subarray(0, header));
  head.writeUInt32LE(body.length + 4, 4);
  return { bytes: Buffer.concat([head, body]), ...size };
}

/** From the first chunk, which has one of three formats. */
function sizeIn(name: string, chunk: Buffer): { width: number; height: number } | undefined {
  switch (name) {
    case 'VP8X':
      return { width: chunk.readUIntLE(12, 3) + 1, height: chunk.readUIntLE(15, 3) + 1 };
    case 'VP8L': {
      const bits = chunk.readUInt32LE(9);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return {
        width: chunk.readUInt16LE(14) & 0x3fff,
        height: chunk.readUInt16LE(16) & 0x3fff,
      };
    default:
      return undefined;
  }
}
