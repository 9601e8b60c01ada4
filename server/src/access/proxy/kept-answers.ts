import { createHash } from 'node:crypto';

interface Kept {
  userId: string | null;
  /** Milliseconds since 1970. */
  until: number;
}

/** What was worked out for words of a proxy, for a while. */
export interface KeptAnswers {
  /** Whose the words are; null for nobody who may come in, undefined for what is not known, or not any more. */
  find(words: string): string | null | undefined;
  /** @param until milliseconds since 1970; a minute is the most */
  keep(words: string, answer: { userId: string | null; until: number }): void;
}

const keptMs = 60_000;
const mostKept = 5000;
/** Apart from the others: whoever makes words up pushes nobody out who has come in. */
const mostRefused = 500;

/** Keys are hashes: words are up to 16 kB of each header, and may be a token. */
export function keptAnswers(): KeptAnswers {
  const admitted = new Map<string, Kept>();
  const refused = new Map<string, Kept>();
  return {
    find: (words) => {
      const key = hashOf(words);
      const known = admitted.get(key) ?? refused.get(key);
      const left = (known?.until ?? 0) - Date.now();
      // A clock that was put back must not make it last.
      return left > 0 && left <= keptMs ? known?.userId : undefined;
    },
    keep: (words, { userId, until }) => {
      const key = hashOf(words);
      admitted.delete(key);
      refused.delete(key);
      const [kept, most] = userId === null ? [refused, mostRefused] : [admitted, mostKept];
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) {
        kept.delete(oldest);
      }
      kept.set(key, { userId, until: Math.min(until, Date.now() + keptMs) });
    },
  };
}

function hashOf(words: string): string {
  return createHash('sha256').update(words).digest('base64url');
}
