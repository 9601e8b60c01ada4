import type { i18n } from 'i18next';
import de from './tools/de.json' with { type: 'json' };
import en from './tools/en.json' with { type: 'json' };

/** Adds the texts on calls of tools, which are loaded with the first of them that somebody opens or is asked about. */
export function addToolTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
