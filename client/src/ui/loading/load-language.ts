import type { i18n } from 'i18next';
import type { Language } from '../../i18n/languages.ts';
import type { Texts } from '../../i18n/start-i18n.ts';
import { loadChunk } from './load-chunk.ts';

/** Loads the texts of a language; English is bundled. Throws `NotLoaded`. */
export async function loadLanguage(language: Language): Promise<Texts> {
  return language === 'de'
    ? (await loadChunk(() => import('../../i18n/de.json', { with: { type: 'json' } }))).default
    : {};
}

/** Switches the language once its texts are loaded. Throws `NotLoaded`. */
export async function changeLanguage(translations: i18n, language: Language): Promise<void> {
  translations.addResourceBundle(language, 'translation', await loadLanguage(language), true);
  await translations.changeLanguage(language);
}
