import type { i18n } from 'i18next';
import de from './temporary/de.json' with { type: 'json' };
import en from './temporary/en.json' with { type: 'json' };

/** Adds the texts of temporary chats, loaded on demand. */
export function addTemporaryTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
