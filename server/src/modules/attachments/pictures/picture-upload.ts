import { Problem } from '@knowhow/shared/problem';
import type { NewUpload } from '../../conversations/index.ts';
import { fileName } from '../file-name.ts';
import { toFileProblem } from '../file-problem.ts';
import { sniffFile } from '../sniff-file.ts';
import { cleanJpeg } from './clean-jpeg.ts';
import { cleanPng } from './clean-png.ts';
import { cleanWebp } from './clean-webp.ts';
import type { CleanPicture } from './picture.ts';

/** An image prepared for storage. Throws like `cleanPicture`. */
export function pictureUpload(name: string, type: string, bytes: Buffer): NewUpload {
  const { bytes: clean, tokens } = cleanPicture(bytes, type);
  return {
    name: withExtension(name, type),
    type,
    bytes: clean,
    details: { kind: 'picture', tokens, length: 0 },
  };
}

/** Appends the extension that matches its type, since files are sent as images by extension. */
function withExtension(name: string, type: string): string {
  const ending = type.replace('image/', '.').replace('jpeg', 'jpg');
  return /\.(?:png|jpe?g|gif|webp)$/i.test(name) ? name : `${name}${ending}`;
}

/**
 * Applies the same checks to an image from another source; undefined if it is invalid or rejected.
 */
export function toPictureUpload(file: { name: string; bytes: Buffer }): NewUpload | undefined {
  const name = fileName(file.name);
  const found = sniffFile(name, file.bytes);
  try {
    return found.kind === 'picture' ? pictureUpload(name, found.type, file.bytes) : undefined;
  } catch (error) {
    if (error instanceof Problem) {
      return undefined;
    }
    throw error;
  }
}

const cleaners: Record<string, (bytes: Buffer) => CleanPicture> = {
  'image/png': cleanPng,
  'image/jpeg': cleanJpeg,
  'image/webp': cleanWebp,
  'image/gif': cleanGif,
};

/** Limits of providers. */
const maxBytes = 4 * 1024 * 1024;

const maxSide = 8000;

const maxPixels = 40_000_000;

/** Tokens of the largest image that models process. */
const maxTokens = 1600;

const pixelsPerToken = 750;

/**
 * Strips location, camera and other metadata from an image. Throws if it is invalid or too large
 * for models.
 */
function cleanPicture(bytes: Buffer, type: string): { bytes: Buffer; tokens: number } {
  const { bytes: clean, width, height } = cleaned(bytes, type);
  if (width * height > maxPixels || Math.max(width, height) > maxSide) {
    throw toFileProblem('wide-picture');
  }
  if (clean.length > maxBytes) {
    throw toFileProblem('large-picture');
  }
  const tokens = Math.min(maxTokens, Math.max(1, Math.ceil((width * height) / pixelsPerToken)));
  return { bytes: clean, tokens };
}

function cleaned(bytes: Buffer, type: string): CleanPicture {
  try {
    const picture = cleaners[type]?.(bytes);
    if (picture && picture.width > 0 && picture.height > 0) {
      return picture;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
  }
  throw toFileProblem('broken-picture');
}

/** GIFs have no location metadata, so only the size is read. Throws `RangeError` if truncated. */
function cleanGif(bytes: Buffer): CleanPicture {
  return { bytes, width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}
