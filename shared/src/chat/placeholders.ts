/**
 * `[name]`: letters and digits of any script. Not a Markdown link, a checkbox `[x]` or a footnote
 * `[1]`.
 */
const placeholder = /\[(?!\d+\])([\p{L}\p{N}_]{2,50})\](?!\()/gu;

/** The names of the placeholders in a text, without duplicates, at most 30. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))].slice(0, 30);
}
