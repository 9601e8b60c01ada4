import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './en.json' with { type: 'json' };
import { type Language, rememberLanguage } from './languages.ts';

/** The texts of a language. English is the fallback. */
export type Texts = Record<string, unknown>;

/**
 * Initialises i18next with a language; texts other than English must be passed in. Later language changes are
 * stored and set on the page.
 */
export function startI18n(language: Language, texts: Texts = {}): i18n {
  const instance = createInstance({
    lng: language,
    fallbackLng: 'en',
    resources: { [language]: { translation: texts }, en: { translation: en } },
    interpolation: { escapeValue: false },
    initAsync: false,
    // The library would otherwise print an advertisement to the console.
    showSupportNotice: false,
  });
  void instance.use(initReactI18next).init();
  document.documentElement.lang = language;
  instance.on('languageChanged', (changed) => {
    document.documentElement.lang = changed;
    rememberLanguage(changed as Language);
  });
  return instance;
}
