import { sha256 } from '../../../platform/lib/sha256.ts';

interface CacheEntry {
  userId: string | null;
  /** Expiry time, in milliseconds since 1970. */
  until: number;
}

/** A short-lived cache of the accounts for proxy headers. */
export interface IdentityCache {
  /** The user ID; null if access is denied, undefined if unknown or expired. */
  find(words: string): string | null | undefined;
  /** @param until milliseconds since 1970; at most one minute from now */
  keep(words: string, answer: { userId: string | null; until: number }): void;
}

const maxAgeMs = 60_000;
const maxAdmitted = 5000;
/** A separate limit: forged headers must not evict the entries of signed-in users. */
const maxRefused = 500;

/** Keys are hashes: headers are up to 16 kB each and may contain tokens. */
export function createIdentityCache(): IdentityCache {
  const admitted = new Map<string, CacheEntry>();
  const refused = new Map<string, CacheEntry>();
  return {
    find: (words) => {
      const key = sha256(words, 'base64url');
      const known = admitted.get(key) ?? refused.get(key);
      const left = (known?.until ?? 0) - Date.now();
      // An entry must not live longer if the clock is set back.
      return left > 0 && left <= maxAgeMs ? known?.userId : undefined;
    },
    keep: (words, { userId, until }) => {
      const key = sha256(words, 'base64url');
      admitted.delete(key);
      refused.delete(key);
      const [kept, most] = userId === null ? [refused, maxRefused] : [admitted, maxAdmitted];
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) {
        kept.delete(oldest);
      }
      kept.set(key, { userId, until: Math.min(until, Date.now() + maxAgeMs) });
    },
  };
}
