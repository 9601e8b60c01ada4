import { Problem } from '@knowhow/shared/problem';
import type { NewUpload } from '../../conversations/files.ts';
import { fileName } from '../file-name.ts';
import { sniffFile } from '../sniff-file.ts';
import { cleanPicture } from './clean-picture.ts';

/** A picture as it is kept. Throws as `cleanPicture`. */
export function pictureUpload(name: string, type: string, bytes: Buffer): NewUpload {
  const { bytes: clean, tokens } = cleanPicture(bytes, type);
  return {
    name: named(name, type),
    type,
    bytes: clean,
    details: { kind: 'picture', tokens, length: 0 },
  };
}

/** With the ending that its bytes ask for: by that a file is sent as a picture. */
function named(name: string, type: string): string {
  const ending = type.replace('image/', '.').replace('jpeg', 'jpg');
  return /\.(?:png|jpe?g|gif|webp)$/i.test(name) ? name : `${name}${ending}`;
}

/** A picture of somewhere else, by the same gate; undefined for what is none, or none that is taken. */
export function asPicture(file: { name: string; bytes: Buffer }): NewUpload | undefined {
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
