import type { i18n } from 'i18next';
import { getI18n } from 'react-i18next';
import { type Language, pseudoLanguage, storeLanguage } from '../../i18n/languages.ts';
import { bundledTexts, type Namespace, namespaces, type Texts } from '../../i18n/start-i18n.ts';
import { loadChunk } from './load-chunk.ts';

const files = import.meta.glob(
  [
    '../../../../locales/*/{common,chat,admin,skills,tools}.json',
    '!../../../../locales/en/common.json',
  ],
  { import: 'default' },
) as Record<string, () => Promise<Texts>>;

/** Loads namespaces in the current language, once. Throws `NotLoaded`. */
export async function loadTexts(...wanted: readonly Namespace[]): Promise<void> {
  const translations = getI18n();
  let language: Language;
  do {
    language = translations.language;
    await loadInto(translations, language, wanted);
    // The user may have changed the language meanwhile.
  } while (language !== translations.language);
}

/** Switches to the chosen language once its texts are loaded, and stores it. Throws `NotLoaded`. */
export async function changeLanguage(translations: i18n, language: Language): Promise<void> {
  const isMissing = (namespace: Namespace) =>
    !translations.hasResourceBundle(language, namespace) &&
    (namespace === 'common' || translations.hasResourceBundle(translations.language, namespace));
  let missing = namespaces.filter(isMissing);
  while (missing.length > 0) {
    await loadInto(translations, language, missing);
    // A part of the page may have loaded another namespace meanwhile.
    missing = namespaces.filter(isMissing);
  }
  storeLanguage(language);
  await translations.changeLanguage(language);
}

async function loadInto(
  translations: i18n,
  language: Language,
  wanted: readonly Namespace[],
): Promise<void> {
  const missing = wanted.filter(
    (namespace) => !translations.hasResourceBundle(language, namespace),
  );
  await Promise.all(
    missing.map(async (namespace) => {
      const texts = await readTexts(language, namespace);
      translations.addResourceBundle(language, namespace, texts);
    }),
  );
}

async function readTexts(language: Language, namespace: Namespace): Promise<Texts> {
  if (language === pseudoLanguage) {
    const { toPseudoTexts } = await loadChunk(() => import('../../i18n/pseudo-texts.ts'));
    return toPseudoTexts(await readTexts('en', namespace));
  }
  const load = files[`../../../../locales/${language}/${namespace}.json`];
  return load ? loadChunk(load) : bundledTexts;
}
