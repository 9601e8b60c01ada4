import { type Language, languages } from './languages.ts';

/** Characters that are read; they are enough. */
const maxLength = 5000;

/** Detects the language of a text by its function words; falls back to the page's. */
export function detectLanguage(text: string, fallback: Language): Language {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
    text.slice(0, maxLength).toLowerCase(),
  );
  const words = [...segments].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []));
  const counts = Object.entries(languages).map(([language, { functionWords }]) => {
    const known = new Set(functionWords.split(' '));
    return { language, count: words.filter((word) => known.has(word)).length };
  });
  const most = Math.max(...counts.map(({ count }) => count));
  const best = counts.filter(({ count }) => count === most);
  return best.length === 1 && best[0] ? best[0].language : fallback;
}
