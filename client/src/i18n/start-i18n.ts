import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import { type Language, rememberLanguage } from './languages.ts';

/** Starts the translations in a language; changing it later is remembered and set on the page. */
export function startI18n(language: Language): i18n {
  const instance = createInstance({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false },
    initAsync: false,
    // The library would advertise a service in the console of everybody's browser.
    showSupportNotice: false,
  });
  instance.use(initReactI18next).init();
  document.documentElement.lang = language;
  instance.on('languageChanged', (changed) => {
    document.documentElement.lang = changed;
    rememberLanguage(changed as Language);
  });
  return instance;
}
