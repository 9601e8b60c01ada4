import { refusedFile } from '../refused-file.ts';
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

/** Providers refuse larger ones. */
const mostBytes = 4 * 1024 * 1024;
const longestSide = 8000;
const mostPixels = 40_000_000;

/** Of a picture as large as models read it. */
const mostTokens = 1600;
const pixelsPerToken = 750;

/** Takes places, cameras and comments out of a picture. Throws for one that is broken, or too large for models. */
export function cleanPicture(bytes: Buffer, type: string): { bytes: Buffer; tokens: number } {
  const { bytes: clean, width, height } = cleaned(bytes, type);
  if (width * height > mostPixels || Math.max(width, height) > longestSide) {
    throw refusedFile('wide-picture');
  }
  if (clean.length > mostBytes) {
    throw refusedFile('large-picture');
  }
  const tokens = Math.min(mostTokens, Math.max(1, Math.ceil((width * height) / pixelsPerToken)));
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
  throw refusedFile('broken-picture');
}
