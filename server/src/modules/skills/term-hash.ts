/** A 32-bit hash of a term. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) {
    hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** A hash of two adjacent terms. */
export function pairHash(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ second) >>> 0;
}
