import { createHash, randomBytes } from 'node:crypto';

/** What every key begins with: so that scanners for secrets, and we, tell one from a session's token. */
const mark = 'kh_';
const shownLength = mark.length + 8;
const secretBytes = 32;

/** A new key, what is shown of it later and what is kept of it. */
export function newKeySecret(): { key: string; prefix: string; hash: string } {
  const key = mark + randomBytes(secretBytes).toString('base64url');
  return { key, prefix: key.slice(0, shownLength), hash: hashOfKey(key) };
}

/** Not slowly, as for a password: nobody guesses 256 random bits. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether a key, or what is meant to be one, is in a header of access. */
export function isApiKey(authorization: string): boolean {
  return /(?:^|[^\w.-])kh_/i.test(authorization);
}
