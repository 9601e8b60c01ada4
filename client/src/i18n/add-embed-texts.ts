import type { i18n } from 'i18next';
import de from './embed/de.json' with { type: 'json' };
import en from './embed/en.json' with { type: 'json' };

/** Adds the texts of the embedded chat. */
export function addEmbedTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
