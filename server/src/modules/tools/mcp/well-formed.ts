/** Replaces lone surrogates, which cannot be encoded. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
