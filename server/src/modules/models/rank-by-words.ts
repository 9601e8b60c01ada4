import { locales } from '../../platform/lib/locales.ts';
import { foldLetters } from '../../platform/lib/search-words.ts';
import { detectLanguage } from '../../platform/lib/stop-words.ts';

/** Scripts without blanks between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The words of a text in lower case, without accents. */
function splitWords(text: string): string[] {
  const runs = foldLetters(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return runs.flatMap((run) =>
    unspaced.test(run) ? Array.from(segmenter.segment(run), ({ segment }) => segment) : [run],
  );
}

/** Words by language that say nothing of the subject: stop words, and verbs that fit any subject. */
const ignoredWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...locales].map(([language, { stopWords, demo }]) => [
    language,
    new Set(splitWords(`${stopWords} ${demo.ignoredWords}`)),
  ]),
);

/** Words for skills in all languages. */
const skillWords: readonly string[] = [...locales.values()].flatMap(({ demo }) =>
  splitWords(demo.skillWords),
);

/** Other words of a question for the available skills, in all languages. */
const listWords: readonly string[] = [...locales.values()].flatMap(({ demo }) =>
  splitWords(demo.listWords),
);

export interface Ranked<Entry> {
  entry: Entry;
  /** Matching words count up to 1 in a description and up to 3 in a name, less if other entries contain them. */
  score: number;
  /** Share of the message's words that the entry contains, from 0 to 1. */
  share: number;
}

const nameWeight = 3;

/** Maximum words of the message; longer ones include material, with the request at the beginning. */
const maxWords = 60;
/** Maximum characters that are searched for words. */
const maxLength = 10_000;

/** Ranks named texts by the words they share with a message, best first. */
export function rankByWords<Entry extends { name: string; description: string }>(
  message: string,
  entries: Entry[],
): Ranked<Entry>[] {
  const asked = new Set(getAskedStems(message).slice(0, maxWords));
  const known = entries.map(({ name, description }) => ({
    name: new Set(getStems(name)),
    all: new Set(getStems(`${name} ${description}`)),
  }));
  const holders = countEach(known.flatMap(({ all }) => [...all].filter((stem) => asked.has(stem))));
  const rarity = (stem: string) =>
    (1 + Math.log(entries.length / (holders.get(stem) ?? 1))) / (1 + Math.log(entries.length));
  return entries
    .map((entry, index) => {
      const shared = [...asked].filter((stem) => known[index]?.all.has(stem));
      const score = shared.reduce(
        (sum, stem) => sum + rarity(stem) * (known[index]?.name.has(stem) ? nameWeight : 1),
        0,
      );
      return { entry, score, share: shared.length / Math.max(1, asked.size) };
    })
    .sort((one, other) => other.score - one.score);
}

function countEach(stems: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stems) {
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

/** The best entry, if it clearly matches and has a clear lead over the next. */
export function clearlyBest<Entry>(ranked: Ranked<Entry>[]): Entry | undefined {
  const [best, next] = ranked;
  if (!best || best.score < 1.3 * (next?.score ?? 0)) {
    return undefined;
  }
  // A single word only counts if it makes up most of the message.
  return best.score >= 1.4 || (best.score >= 1 && best.share >= 0.5) ? best.entry : undefined;
}

/** The language of a message, of those with texts. */
export function detectMessageLanguage(message: string): string {
  return detectLanguage(splitWords(message.slice(0, maxLength)), ignoredWords);
}

/** Whether a message only asks which skills are available. */
export function asksForSkills(message: string): boolean {
  const asked = getAskedStems(message);
  return asked.some((word) => skillStems.has(word)) && asked.every((word) => listStems.has(word));
}

const skillStems: ReadonlySet<string> = new Set(skillWords.map(stem));
const listStems: ReadonlySet<string> = new Set([...skillWords, ...listWords].map(stem));

/** Texts in other languages contain English and German words as well. */
function getAskedStems(message: string): string[] {
  const languages = ['en', 'de', detectMessageLanguage(message)];
  return getWords(message)
    .filter((word) => !languages.some((language) => ignoredWords.get(language)?.has(word)))
    .map(stem);
}

function getStems(text: string): string[] {
  return getWords(text).map(stem);
}

function getWords(text: string): string[] {
  return splitWords(text.slice(0, maxLength)).filter((word) => word.length > 1);
}

/** Strips the most common endings of English and German words. */
function stem(word: string): string {
  return word.replace(/(?<=.{3})(ings?|ungen|ung|ers?|ed|en|es|ies|is|s|e|y)$/, '');
}
