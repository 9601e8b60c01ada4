/** The text with a replacement character for each half of one, which no encoding can hold. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
