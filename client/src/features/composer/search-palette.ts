import { scorerFor, searchable, wordsOf } from '@knowhow/shared/skills/scorer-for';
import Fuse from 'fuse.js';
import type { Range } from '../../ui/text/marked-text.tsx';
import type { PaletteEntry } from './palette-entry.ts';

/** An entry that is shown, with the letters to mark. */
export interface PaletteMatch {
  entry: PaletteEntry;
  /** How well it fits, from 1, its very name, down to 0: only spelled similarly. */
  score: number;
  titleRanges: readonly Range[];
  descriptionRanges: readonly Range[];
}

interface Wanted {
  query: string;
  /** Whether the server has said how well each skill fits. */
  isRanked: boolean;
  /** Whether what is spelled similarly is found as well. */
  forgives: boolean;
}

/** Above either, looking for what is spelled similarly takes seconds; then letters are taken as they are. */
const mostAlike = 1_000;
const longestAlike = 32;

/**
 * The entries that match, best first; of equals those that come first. What holds the very letters comes
 * before what is spelled similarly.
 */
export function searchPalette(entries: readonly PaletteEntry[], wanted: Wanted): PaletteMatch[] {
  const { query } = wanted;
  const matches = searchLiterally(entries, wanted);
  const forgives = wanted.forgives && entries.length <= mostAlike && query.length <= longestAlike;
  // Of several words none is forgiven: any sentence would be like some description.
  if (forgives && !/\s/.test(query)) {
    const found = new Set(matches.map(({ entry }) => entry));
    const others = entries.filter((entry) => !found.has(entry));
    matches.push(...searchAlike(others, query));
  }
  return matches;
}

/** In the order in which the server ranks skills. */
function searchLiterally(
  entries: readonly PaletteEntry[],
  { query, isRanked }: Wanted,
): PaletteMatch[] {
  const scoreOf = scorerFor(query);
  const words = wordsOf(query);
  return entries
    .map((entry) => ({
      entry,
      score: (isRanked ? serversScore(entry) : undefined) ?? scoreOf(searchableEntry(entry)),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry, score }) => ({
      entry,
      score,
      titleRanges: rangesOf(entry.title, words),
      descriptionRanges: rangesOf(entry.description, words),
    }));
}

/** The server also knows the instructions. */
function serversScore(entry: PaletteEntry): number | undefined {
  return entry.kind === 'skill' ? entry.skill.score : undefined;
}

/** Kept as long as what it is made of: each letter that is typed asks for all of them. */
const kept = new WeakMap<object, ReturnType<typeof searchable>>();

function searchableEntry(entry: PaletteEntry): ReturnType<typeof searchable> {
  const subject = entry.kind === 'skill' ? entry.skill : entry;
  const known = kept.get(subject);
  if (known) {
    return known;
  }
  const { title: name, hint, description, category = '' } = entry;
  const more = entry.kind === 'skill' ? [entry.skill.displayName, ...entry.skill.tags] : [];
  const made = searchable({ name, otherNames: [hint, ...more, category], description });
  kept.set(subject, made);
  return made;
}

/** Where the words are first, in order and without touching each other. */
function rangesOf(text: string, words: readonly string[]): Range[] {
  const lower = text.toLowerCase();
  let end = -1;
  return words
    .map((word): Range => [lower.indexOf(word), lower.indexOf(word) + word.length - 1])
    .sort(([one], [other]) => one - other)
    .filter(([first, last]) => {
      const isFree = first > end;
      end = isFree ? last : end;
      return isFree;
    });
}

/** Forgives what is mistyped. */
function searchAlike(entries: readonly PaletteEntry[], query: string): PaletteMatch[] {
  const fuse = new Fuse(entries, {
    keys: [
      { name: 'title', weight: 4 },
      { name: 'hint', weight: 2 },
      { name: 'skill.displayName', weight: 2 },
      { name: 'description', weight: 1 },
      { name: 'skill.tags', weight: 1 },
    ],
    threshold: 0.2,
    ignoreLocation: true,
    includeMatches: true,
    minMatchCharLength: Math.min(2, query.length),
  });
  return fuse.search(query).map(({ item, matches: found = [] }) => ({
    entry: item,
    score: 0,
    titleRanges: found.find(({ key }) => key === 'title')?.indices ?? [],
    descriptionRanges: found.find(({ key }) => key === 'description')?.indices ?? [],
  }));
}
