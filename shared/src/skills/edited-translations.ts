import { z } from 'zod';
import { lineOf, withoutHiddenCharacters } from '../names.ts';
import type { SkillTranslations } from './skill-translations.ts';

/** Maximum number of languages of a skill, besides its own. */
export const maxTranslations = 20;
/** Maximum length of a title and of a description, in characters. */
export const maxTitleLength = 200;
export const maxDescriptionLength = 1024;

/** The translated texts of a skill. */
export const translatedFields = ['title', 'description'] as const;
export type TranslatedField = (typeof translatedFields)[number];

const title = z.string().overwrite(withoutHiddenCharacters).pipe(lineOf(maxTitleLength));
const description = z.string().overwrite(withoutHiddenCharacters).trim().max(maxDescriptionLength);
const tag = z
  .string()
  .refine(
    (written) => canonicalTag(written) === written,
    'Write a language tag such as de or pt-BR.',
  );

/** All translations of an edited skill. Empty texts are dropped. */
export const editedTranslationsSchema = z
  .strictObject({
    title: z.record(tag, title),
    description: z.record(tag, description),
  })
  .overwrite(({ title, description }) => ({
    title: withoutEmpty(title),
    description: withoutEmpty(description),
  }))
  .refine(
    (translations) => listLanguages(translations).length <= maxTranslations,
    `Translate into at most ${maxTranslations} languages.`,
  );

function withoutEmpty(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** The canonical form of a language tag (BCP 47), such as `pt-BR` for `pt-br`; undefined if it is invalid. */
export function canonicalTag(tag: string): string | undefined {
  if (tag.length > maxTagLength) {
    return undefined;
  }
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

const maxTagLength = 35;

/** The key of a translation in `metadata`: its field and its tag, which may be invalid. */
export const translatedKey = /^(title|description)\.(.*)$/s;

/** The key of a translation with its tag in the canonical form, such as `title.pt-BR`; undefined for other keys. */
export function canonicalKey(key: string): string | undefined {
  const [, field, written = ''] = translatedKey.exec(key) ?? [];
  const language = canonicalTag(written);
  return field === undefined || language === undefined ? undefined : `${field}.${language}`;
}

/** The languages of translations, sorted. */
export function listLanguages({ title, description }: SkillTranslations): string[] {
  return [...new Set([...Object.keys(title), ...Object.keys(description)])].sort();
}
