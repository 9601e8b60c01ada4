import { type BinaryToTextEncoding, hash } from 'node:crypto';

/** The SHA-256 of a text (as UTF-8) or of bytes; as hexadecimal digits by default. */
export function sha256(
  content: string | Uint8Array,
  encoding: BinaryToTextEncoding = 'hex',
): string {
  return hash('sha256', content, encoding);
}
