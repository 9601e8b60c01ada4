import type { i18n } from 'i18next';
import de from './sharing/de.json' with { type: 'json' };
import en from './sharing/en.json' with { type: 'json' };

/** Adds the texts of shared links, export and import. */
export function addSharingTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
