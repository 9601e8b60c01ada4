import type { i18n } from 'i18next';
import de from './conversations/de.json' with { type: 'json' };
import en from './conversations/en.json' with { type: 'json' };

/** Adds the texts of conversation actions and folders. */
export function addConversationTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
