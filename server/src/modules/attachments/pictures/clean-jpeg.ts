import { type CleanPicture, partCounter } from './picture.ts';

const endOfImage = 0xd9;
const startOfScan = 0xda;

/**
 * Keeps only image data, colour profile and orientation. Throws `RangeError` if truncated before
 * the size, or if there are two sizes.
 */
export function cleanJpeg(bytes: Buffer): CleanPicture {
  const parts = [bytes.subarray(0, 2)];
  let size = { width: 0, height: 0 };
  const countPart = partCounter();
  for (let at = 2; at < bytes.length; ) {
    countPart();
    if (bytes.readUInt8(at) !== 0xff) {
      throw new RangeError('There is no segment marker where one is expected.');
    }
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) {
      break;
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at, end);
    if (isFrame(marker)) {
      if (size.width > 0) {
        throw new RangeError('The picture has two sizes.');
      }
      size = { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
    }
    parts.push(...keptOf(marker, segment));
    at = marker === startOfScan ? endOfScan(bytes, end) : end;
    if (marker === startOfScan) {
      parts.push(bytes.subarray(end, at));
    }
  }
  parts.push(Buffer.from([0xff, endOfImage]));
  return { bytes: Buffer.concat(parts), ...size };
}

/** SOF markers; 0xc4, 0xc8 and 0xcc are tables. */
function isFrame(marker: number): boolean {
  return marker === 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 !== 0);
}

function keptOf(marker: number, segment: Buffer): Buffer[] {
  const isOfProgram = marker >= 0xe0 && marker <= 0xef;
  if (marker === 0xe1) {
    const orientation = orientationIn(segment);
    return orientation === undefined || orientation === 1 ? [] : [orientationOnly(orientation)];
  }
  // Keeps JFIF, Adobe and ICC segments; drops all other metadata and comments.
  const isColour = marker === 0xe2 && segment.toString('latin1', 4, 15) === 'ICC_PROFILE';
  const isNeeded = marker === 0xe0 || marker === 0xee || isColour;
  return (isOfProgram && !isNeeded) || marker === 0xfe ? [] : [segment];
}

/** Offset of the segment after the scan data. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) {
      return at;
    }
  }
  return bytes.length;
}

const exif = 'Exif\0\0';
const tiffAt = 10;
const orientationTag = 0x0112;

/** EXIF orientation, from 1 to 8. */
function orientationIn(segment: Buffer): number | undefined {
  if (segment.toString('latin1', 4, tiffAt) !== exif) {
    return undefined;
  }
  try {
    const tiff = segment.subarray(tiffAt);
    const isLittle = tiff.toString('latin1', 0, 2) === 'II';
    const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
    const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    for (let entry = 0; entry < short(directory); entry += 1) {
      const at = directory + 2 + entry * 12;
      if (short(at) === orientationTag) {
        const found = short(at + 8);
        return found >= 1 && found <= 8 ? found : undefined;
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
  }
  return undefined;
}

/** An EXIF segment with only the orientation. */
function orientationOnly(orientation: number): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0x00, 0x22]);
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return Buffer.concat([head, Buffer.from(exif, 'latin1'), tiff]);
}
