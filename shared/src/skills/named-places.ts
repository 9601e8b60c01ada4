/** `{{name}}`, with blanks or without. Each character is looked at once, however many begin. */
const place = /\{\{[ \t]{0,10}([A-Za-z][\w.]{0,59})[ \t]{0,10}\}\}/g;

/** Puts values where a text names them, each as it is: what stands in a value is not looked at again. */
export function fillPlaces(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(place, (written, name: string) => values.get(name) ?? written);
}

/** The names in a text, each once. */
export function placesIn(text: string): string[] {
  return [...new Set([...text.matchAll(place)].map(([, name = '']) => name))];
}
