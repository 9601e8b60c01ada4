import { encode } from 'gpt-tokenizer';

/**
 * Counts the tokens of a JSON request with a different tokenizer. Cached by part, since most parts
 * recur in the next request.
 */
export function otherTokenizer(): (raw: string) => number {
  const known = new Map<string, number>();
  return (raw) => {
    let sum = 0;
    for (const part of raw.split('},{')) {
      const tokens = known.get(part) ?? encode(part).length + 1;
      known.set(part, tokens);
      sum += tokens;
    }
    return sum;
  };
}
