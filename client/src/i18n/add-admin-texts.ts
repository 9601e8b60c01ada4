import type { i18n } from 'i18next';
import de from './admin/de.json' with { type: 'json' };
import en from './admin/en.json' with { type: 'json' };
import skillTexts from './admin/skill-texts-de.json' with { type: 'json' };

/** Adds the texts of the admin pages, loaded only there. Server messages about skills are in English. */
export function addAdminTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', { ...de, skillTexts }, true);
}
