import { z } from 'zod';
import { matchLanguage } from '../match-language.ts';

const byLanguage = z.record(z.string(), z.string());

/** Titles and descriptions by language: canonical tags (BCP 47), at most `maxTranslations` different ones. */
export const skillTranslationsSchema = z.object({ title: byLanguage, description: byLanguage });
export type SkillTranslations = Readonly<
  Record<'title' | 'description', Readonly<Record<string, string>>>
>;

interface SkillWords {
  displayName: string;
  description: string;
  translations?: SkillTranslations | undefined;
}

/** All translated titles and descriptions. */
export function listTranslatedTexts(translations: SkillTranslations | undefined): string[] {
  const { title = {}, description = {} } = translations ?? {};
  return [...Object.values(title), ...Object.values(description)];
}

/**
 * Title and description for people, each in a language if there is a translation (`de-AT` falls back to `de`), otherwise
 * as written by the author.
 */
export function localizeSkill(
  { displayName, description, translations }: SkillWords,
  language: string,
): Record<keyof SkillTranslations, string> {
  const find = (field: keyof SkillTranslations) => {
    const texts = translations?.[field] ?? {};
    const tag = matchLanguage(language, Object.keys(texts));
    return tag === undefined ? undefined : texts[tag];
  };
  return { title: find('title') ?? displayName, description: find('description') ?? description };
}
