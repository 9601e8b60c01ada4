import type { i18n } from 'i18next';
import de from './second/de.json' with { type: 'json' };
import en from './second/en.json' with { type: 'json' };

/** Adds the texts of model comparison, loaded if it is available. */
export function addSecondTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
