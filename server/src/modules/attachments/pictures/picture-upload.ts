import { Problem } from '@knowhow/shared/problem';
import type { NewUpload } from '../../conversations/files.ts';
import { fileName } from '../file-name.ts';
import { sniffFile } from '../sniff-file.ts';
import { cleanPicture } from './clean-picture.ts';

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
