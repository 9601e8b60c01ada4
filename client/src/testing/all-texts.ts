import type { i18n } from 'i18next';
import { namespaces, type Texts } from '../i18n/start-i18n.ts';

/** The texts in English and German, by path. */
const files: Record<string, Texts> = import.meta.glob('../../../locales/{en,de}/*.json', {
  eager: true,
  import: 'default',
});

/** Adds all texts in English and German, so that a test need not wait for them. */
export function addAllTexts(translations: i18n): void {
  for (const language of ['en', 'de']) {
    for (const namespace of namespaces) {
      const texts = files[`../../../locales/${language}/${namespace}.json`];
      translations.addResourceBundle(language, namespace, texts);
    }
  }
}
