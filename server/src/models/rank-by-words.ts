import { commonWords, englishWords, germanWords } from './demo-words.ts';

export interface Ranked<Entry> {
  entry: Entry;
  /** A word of a description counts up to 1, one of a name up to 3; less when other entries have it. */
  score: number;
  /** How much of the message the entry knows, from 0 to 1. */
  share: number;
}

const nameWeight = 3;

/** Longer messages bring their material along; what is asked for is at their beginning. */
const longestAsk = 60;
/** Characters in which words are looked for. */
const mostRead = 10_000;

/** Ranks named texts by the words they share with a message, best first. */
export function rankByWords<Entry extends { name: string; description: string }>(
  message: string,
  entries: Entry[],
): Ranked<Entry>[] {
  const asked = new Set(stemsOf(message).slice(0, longestAsk));
  const known = entries.map(({ name, description }) => ({
    name: new Set(stemsOf(name)),
    all: new Set(stemsOf(`${name} ${description}`)),
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

/** The best entry, when it is clear that the message means it, and not the next one. */
export function clearlyBest<Entry>(ranked: Ranked<Entry>[]): Entry | undefined {
  const [best, next] = ranked;
  if (!best || best.score < 1.3 * (next?.score ?? 0)) {
    return undefined;
  }
  // One word decides only when it is about all that the message says.
  return best.score >= 1.4 || (best.score >= 1 && best.share >= 0.5) ? best.entry : undefined;
}

/** Whether a message is German rather than English. */
export function isGerman(message: string): boolean {
  const words = wordsOf(message);
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length;
  const german = count(germanWords) + (/[äöüß]/i.test(message) ? 1 : 0);
  return german > count(englishWords);
}

/** Whether a message asks for nothing but which skills there are. */
export function asksForSkills(message: string): boolean {
  const asked = stemsOf(message);
  return asked.some((word) => skillStems.has(word)) && asked.every((word) => listStems.has(word));
}

const skillStems: ReadonlySet<string> = new Set(['skill', 'fahigkeit']);
const listStems: ReadonlySet<string> = new Set([
  ...skillStems,
  ...'availabl exist gibt kennst know list verfugbar vorhanden'.split(' '),
]);

const stopWords = [commonWords, englishWords, germanWords];

function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length > 1 && !stopWords.some((list) => list.has(word)))
    .map(stem);
}

function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, mostRead)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Cuts the commonest endings of English and German words. */
function stem(word: string): string {
  const plain = word.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss');
  return plain.replace(/(?<=.{3})(ings?|ungen|ung|ers?|ed|en|es|ies|is|s|e|y)$/, '');
}
