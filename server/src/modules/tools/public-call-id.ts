import { sha256 } from '../../platform/lib/sha256.ts';

/**
 * A URL-safe ID for answering a call. Models may use any ID, so long or unusual ones are hashed.
 */
export function publicCallId(id: string): string {
  const isPlain = /^[\w.:-]{1,200}$/.test(id);
  return isPlain ? id : `call-${sha256(id).slice(0, 32)}`;
}
