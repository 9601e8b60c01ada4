import { locales } from '../../platform/lib/locales.ts';
import { foldLetters } from '../../platform/lib/search-words.ts';

/** Scripts without blanks between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The words of a text in lower case, without accents. */
export function splitWords(text: string): string[] {
  const runs = foldLetters(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return runs.flatMap((run) =>
    unspaced.test(run) ? Array.from(segmenter.segment(run), ({ segment }) => segment) : [run],
  );
}

/** Words by language that say nothing of the subject: stop words, and verbs that fit any subject. */
export const ignoredWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...locales].map(([language, { stopWords, demo }]) => [
    language,
    new Set(splitWords(`${stopWords} ${demo.ignoredWords}`)),
  ]),
);

/** Words for skills in all languages. */
export const skillWords: readonly string[] = [...locales.values()].flatMap(({ demo }) =>
  splitWords(demo.skillWords),
);

/** Other words of a question for the available skills, in all languages. */
export const listWords: readonly string[] = [...locales.values()].flatMap(({ demo }) =>
  splitWords(demo.listWords),
);
