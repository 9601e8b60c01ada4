import { locales } from './locales.ts';
import { searchWords } from './search-words.ts';

/** Stop words by language in the form of `searchWords`, English first. */
export const stopWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...locales].map(([language, texts]) => [language, new Set(searchWords(texts.stopWords))]),
);

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A single word may be English as well, such as "la" in Spanish. */
const minWords = 2;

/**
 * The language with the most of these words in its list: English, the first, on a tie. A language
 * other than English and German needs two different words, unless there are fewer. Only Japanese
 * uses kana, so that every word with kana counts as Japanese.
 */
export function detectLanguage(words: readonly string[], lists: typeof stopWords): string {
  const min = Math.min(minWords, new Set(words).size);
  let best = 'en';
  let most = 0;
  for (const [language, list] of lists) {
    const isJapanese = language === 'ja';
    const found = words.filter((word) => list.has(word) || (isJapanese && kana.test(word)));
    const isCertain = ['en', 'de'].includes(language) || new Set(found).size >= min;
    if (found.length > most && isCertain) {
      [best, most] = [language, found.length];
    }
  }
  return best;
}
