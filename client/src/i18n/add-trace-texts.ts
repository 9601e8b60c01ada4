import type { i18n } from 'i18next';
import de from './trace/de.json' with { type: 'json' };
import en from './trace/en.json' with { type: 'json' };

/** Adds the texts of the trace panel, loaded when it is opened. */
export function addTraceTexts(translations: i18n): void {
  translations.addResourceBundle('en', 'translation', en, true);
  translations.addResourceBundle('de', 'translation', de, true);
}
