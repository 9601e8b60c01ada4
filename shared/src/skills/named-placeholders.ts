/** `{{name}}`, with or without blanks. Linear time, because each repetition is bounded. */
const placeholder = /\{\{[ \t]{0,10}([A-Za-z][\w.]{0,59})[ \t]{0,10}\}\}/g;

/** Replaces placeholders by values. Values are inserted literally and not expanded again. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(placeholder, (written, name: string) => values.get(name) ?? written);
}

/** The names of the placeholders in a text, without duplicates. */
export function listPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))];
}
