import { z } from 'zod';

/** A localizable text: one string, or one per language (`{"en": "…", "de": "…"}`). */
export const localizedSchema = z.union(
  [z.string(), z.record(z.string(), z.string())],
  'Write a text, or one for each language, such as { "en": "…", "de": "…" }.',
);
export type Localized = z.infer<typeof localizedSchema>;

/** The text in a language (`de-AT` falls back to `de`, then English, then any). */
export function localize(text: Localized | undefined, language: string): string {
  if (text === undefined || typeof text === 'string') {
    return text ?? '';
  }
  const base = language.split('-')[0] ?? language;
  // The language comes from the client and may be `constructor`.
  const found = [language, base, 'en'].find((name) => Object.hasOwn(text, name));
  return (found === undefined ? Object.values(text)[0] : text[found]) ?? '';
}
