import type { i18n } from 'i18next';
import de from './sign-in/de.json' with { type: 'json' };
import en from './sign-in/en.json' with { type: 'json' };

/** Adds the texts of the sign-in page, loaded only there. */
export function addSignInTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
