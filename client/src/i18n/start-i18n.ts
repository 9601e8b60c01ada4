import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './en.json' with { type: 'json' };
import { type Language, rememberLanguage } from './languages.ts';

/** What is said in a language. English stands in for what others lack. */
export type Texts = Record<string, unknown>;

/** Starts the translations in a language, whose texts are given if it is not English; changing it later is remembered and set on the page. */
export function startI18n(language: Language, texts: Texts = {}): i18n {
  const instance = createInstance({
    lng: language,
    fallbackLng: 'en',
    resources: { [language]: { translation: texts }, en: { translation: en } },
    interpolation: { escapeValue: false },
    initAsync: false,
    // The library would advertise a service in the console of everybody's browser.
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
