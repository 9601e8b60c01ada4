import { toFileProblem } from '../refused-file.ts';
import { cleanGif } from './clean-gif.ts';
import { cleanJpeg } from './clean-jpeg.ts';
import { cleanPng } from './clean-png.ts';
import { cleanWebp } from './clean-webp.ts';
import type { CleanPicture } from './picture.ts';

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
export function cleanPicture(bytes: Buffer, type: string): { bytes: Buffer; tokens: number } {
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
