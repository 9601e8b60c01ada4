import type { Texts } from './start-i18n.ts';

/** Right-to-left override and its end (Unicode UAX #9): letters between them run from right to left. */
const override = ['\u202e', '\u202c'] as const;

/** Arabic, whose rules the pseudo-language follows, has all plural forms of CLDR. */
const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** Makes each word of English texts run from right to left, except placeholders and tags. */
export function toPseudoTexts(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]): [string, unknown][] => {
      if (typeof text !== 'string') {
        return [[key, toPseudoTexts(text as Texts)]];
      }
      const pseudo = toPseudoText(text);
      return key.endsWith('_other')
        ? pluralForms.map((form) => [key.replace(/other$/, form), pseudo])
        : [[key, pseudo]];
    }),
  );
}

function toPseudoText(text: string): string {
  return text
    .split(/(\{\{.*?\}\}|<[^>]*>)/)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replaceAll(/\p{L}+/gu, (word) => override.join(word)),
    )
    .join('');
}
