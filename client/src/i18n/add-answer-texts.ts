import type { i18n } from 'i18next';
import de from './answers/de.json' with { type: 'json' };
import en from './answers/en.json' with { type: 'json' };

/** Adds the texts of answer actions, loaded with the first answer. */
export function addAnswerTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
