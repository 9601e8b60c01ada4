import { matchLanguage } from '@knowhow/shared/match-language';

/** `language.json` of a language's folder. */
interface LanguageInfo {
  /** In the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Its most frequent words, separated by blanks; they tell its texts from those of other languages. */
  functionWords: string;
}

/** A language's tag (RFC 5646), which is the name of its folder below `locales/`. */
export type Language = string;

const infos: Record<string, LanguageInfo> = import.meta.glob('../../../locales/*/language.json', {
  eager: true,
  import: 'default',
});

/** The languages of the interface. */
export const languages: Readonly<Record<Language, LanguageInfo>> = Object.fromEntries(
  Object.entries(infos).map(([path, info]) => [path.split('/').at(-2), info]),
);

/**
 * The pseudo-language for testing right-to-left layout, by its name in CLDR: English words in reverse. It is not
 * offered, but can be stored.
 */
export const pseudoLanguage = 'ar-XB';

const storageKey = 'knowhow-language';

/** The stored language, else the browser's first supported one, else English. */
export function preferredLanguage(): Language {
  const stored = localStorage.getItem(storageKey);
  if (stored === pseudoLanguage) {
    return stored;
  }
  const available = Object.keys(languages);
  const wanted = stored === null ? navigator.languages : [stored, ...navigator.languages];
  return wanted.flatMap((tag) => matchLanguage(tag, available) ?? [])[0] ?? 'en';
}

/** Stores the user's choice for later visits. */
export function storeLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
}

/** Sets the language and its direction on the page. */
export function applyLanguage(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = getDirection(language);
}

export function getDirection(language: Language): 'ltr' | 'rtl' {
  return language === pseudoLanguage ? 'rtl' : (languages[language]?.direction ?? 'ltr');
}
