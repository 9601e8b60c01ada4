import type { i18n } from 'i18next';
import de from './attachments/de.json' with { type: 'json' };
import en from './attachments/en.json' with { type: 'json' };

/** Adds the texts of attachments, loaded on demand. */
export function addAttachmentTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
