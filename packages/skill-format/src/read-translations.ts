import {
  canonicalTag,
  maxDescriptionLength,
  maxTitleLength,
  maxTranslations,
  type TranslatedField,
  translatedKey,
} from '@knowhow/shared/skills/edited-translations';
import type { SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';
import { hasHiddenCharacters, reveal, withoutHiddenCharacters } from './hidden-characters.ts';

const limits = { title: maxTitleLength, description: maxDescriptionLength };

/**
 * Reads titles and descriptions by language from `metadata`. Entries with an invalid or repeated tag, and languages
 * beyond the limit, are ignored; hidden characters are removed, and longer texts shortened. Reports the first fault of each kind.
 *
 * @param line the line of `metadata`
 */
export function readTranslations(
  metadata: Readonly<Record<string, string>>,
  line: number | undefined,
): { translations: SkillTranslations | undefined; diagnostics: Diagnostic[] } {
  const found = { title: new Map<string, string>(), description: new Map<string, string>() };
  const languages = new Set<string>();
  const faults = new Map<DiagnosticCode, Diagnostic>();
  const report = (code: DiagnosticCode, details: Parameters<typeof diagnose>[1] = {}) => {
    if (!faults.has(code)) {
      faults.set(code, diagnose(code, { ...details, line }));
    }
  };
  for (const [key, written] of Object.entries(metadata)) {
    const [, field, tag = ''] = translatedKey.exec(key) ?? [];
    if (!isField(field)) {
      continue;
    }
    const language = canonicalTag(tag);
    const shown = shorten(reveal(key), maxShown);
    if (language === undefined) {
      report('translation-tag-invalid', {
        text: 'translation-tag-named',
        values: { key: shown },
      });
    } else if (found[field].has(language)) {
      report('translation-twice', {
        text: 'translation-twice-named',
        values: { key: shown, language },
      });
    } else if (!languages.has(language) && languages.size >= maxTranslations) {
      report('translations-too-many');
    } else if (written.trim() !== '') {
      languages.add(language);
      const text = toText(field, written);
      const visible = withoutHiddenCharacters(text).trim();
      if (visible !== '') {
        found[field].set(language, shorten(visible, limits[field]));
      }
      if ([...text].length > limits[field]) {
        report('translation-too-long', {
          text: 'translation-length',
          values: { key: shown, most: limits[field] },
        });
      }
      if (hasHiddenCharacters(text)) {
        report('hidden-characters');
      }
    }
  }
  const translations = {
    title: Object.fromEntries(found.title),
    description: Object.fromEntries(found.description),
  };
  return {
    translations: languages.size === 0 ? undefined : translations,
    diagnostics: [...faults.values()],
  };
}

const maxShown = 64;

function isField(field: string | undefined): field is TranslatedField {
  return field !== undefined;
}

function toText(field: TranslatedField, written: string): string {
  const text = written.trim();
  return field === 'title' ? text.replace(/\s+/g, ' ') : text;
}

/** The text with at most `most` characters (code points), the last of which marks an omission. */
export function shorten(text: string, most: number): string {
  const points = text.length <= most ? [] : [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}
