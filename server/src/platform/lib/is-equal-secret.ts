import { timingSafeEqual } from 'node:crypto';
import { sha256 } from './sha256.ts';

/** Compares the digests of two texts in constant time, against timing attacks. */
export function isEqualSecret(given: string, expected: string): boolean {
  const digest = (text: string) => Buffer.from(sha256(text), 'hex');
  return timingSafeEqual(digest(given), digest(expected));
}
