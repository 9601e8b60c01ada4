import type { i18n } from 'i18next';
import de from './tools/de.json' with { type: 'json' };
import en from './tools/en.json' with { type: 'json' };

/** Adds the texts of tool calls, loaded with the first one that is opened or asks its user. */
export function addToolTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
