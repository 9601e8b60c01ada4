import { fillPlaceholders } from './skills/named-placeholders.ts';

/** Fills placeholders such as `{{name}}`. Values are inserted literally. */
export function fillIn(
  text: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const entries = Object.entries(values);
  return fillPlaceholders(text, new Map(entries.map(([key, value]) => [key, String(value)])));
}
