import { readParts, TooManyBytes } from '../../skills/index.ts';
import { DocumentError } from '../document.ts';

const limits = { maxBytes: 64 * 1024 * 1024, maxParts: 10_000 };

/** The XML parts of an Office document, which contain its text. */
export function textParts(bytes: Uint8Array): Map<string, Uint8Array> {
  try {
    return readParts(bytes, (name) => /\.(?:xml|rels)$/i.test(name), limits);
  } catch (error) {
    throw new DocumentError(error instanceof TooManyBytes ? 'too-large' : 'broken', error);
  }
}
