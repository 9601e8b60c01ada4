/** The languages of the interface, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const storageKey = 'knowhow-language';

/** The stored language, else the browser's first supported one, else English. */
export function preferredLanguage(): Language {
  const stored = localStorage.getItem(storageKey);
  const wanted = [stored, ...navigator.languages].map((tag) => tag?.split('-')[0]);
  return wanted.find(isLanguage) ?? 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(languages, tag);
}
