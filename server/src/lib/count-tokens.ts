/**
 * Tokens of a text as `cl100k_base` counts them: an estimate, since each vendor has its own way.
 * The tables (40 MB of memory) are loaded on first use.
 */
export async function countTokens(text: string): Promise<number> {
  const tokenizer = await import('gpt-tokenizer/encoding/cl100k_base');
  return tokenizer.countTokens(text);
}

/** A quick guess without tables: four characters a token. */
export function guessTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
