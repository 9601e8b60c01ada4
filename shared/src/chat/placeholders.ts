/** `[name]`: letters and digits of any script. A link of Markdown, `[x]` of a list and `[1]` are none. */
const gap = /\[(?!\d+\])([\p{L}\p{N}_]{2,50})\](?!\()/gu;

/** The names of what a text leaves to be filled in, each once, 30 at most. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(gap)].map(([, name = '']) => name))].slice(0, 30);
}
