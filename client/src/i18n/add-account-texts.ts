import type { i18n } from 'i18next';
import de from './account/de.json' with { type: 'json' };
import en from './account/en.json' with { type: 'json' };

/** Adds the texts of the account dialogs, loaded on demand. */
export function addAccountTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
