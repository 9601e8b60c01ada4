import type { i18n } from 'i18next';
import de from './notices/de.json' with { type: 'json' };
import en from './notices/en.json' with { type: 'json' };

/** Adds the texts of notifications, loaded with their dialog. */
export function addNoticeTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
