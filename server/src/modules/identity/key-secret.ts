import { randomBytes } from 'node:crypto';
import { sha256 } from '../../platform/lib/sha256.ts';

/** Prefix of all API keys. Secret scanners use it, and we tell keys from session tokens by it. */
const keyPrefix = 'kh_';
const shownLength = keyPrefix.length + 8;
const secretBytes = 32;

/**
 * Returns a new key, its displayable prefix and its hash. A fast hash is enough: a key is 256 random bits, not a
 * guessable password.
 */
export function newKeySecret(): { key: string; prefix: string; hash: string } {
  const key = keyPrefix + randomBytes(secretBytes).toString('base64url');
  return { key, prefix: key.slice(0, shownLength), hash: sha256(key) };
}

/** Whether an Authorization header contains something that looks like an API key. */
export function isApiKey(authorization: string): boolean {
  return /(?:^|[^\w.-])kh_/i.test(authorization);
}
