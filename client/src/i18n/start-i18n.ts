import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import bundledTexts from '../../../locales/en/common.json' with { type: 'json' };
import { applyLanguage, type Language } from './languages.ts';

export { bundledTexts };

/** The texts of a namespace in one language. */
export type Texts = Record<string, unknown>;

/**
 * The namespaces: files of a language's folder. `common` is loaded before the first page, `chat` with the first lazy
 * part of the page, `tools` with the first tool call, the others with the admin console. Keys are unique across them, so that no key names its
 * namespace.
 */
export const namespaces = ['common', 'chat', 'admin', 'skills', 'tools'] as const;
export type Namespace = (typeof namespaces)[number];

/**
 * Initialises i18next with a language. Only the English `common` is bundled, as the fallback; `loadTexts` adds the
 * rest. Later language changes are set on the page.
 */
export function startI18n(language: Language): i18n {
  const instance = createInstance({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { common: bundledTexts } },
    ns: namespaces,
    defaultNS: 'common',
    fallbackNS: namespaces.slice(1),
    interpolation: { escapeValue: false },
    initAsync: false,
    // The library would otherwise print an advertisement to the console.
    showSupportNotice: false,
  });
  void instance.use(initReactI18next).init();
  applyLanguage(language);
  instance.on('languageChanged', applyLanguage);
  return instance;
}
