import { scorerFor, searchable, wordsOf } from '@knowhow/shared/scorer-for';
import type Fuse from 'fuse.js';
import type { Range } from '../../ui/marked-text.tsx';
import type { PaletteEntry } from './palette-entry.ts';

/** An entry that is shown, with the letters to mark. */
export interface PaletteMatch {
  entry: PaletteEntry;
  titleRanges: readonly Range[];
  descriptionRanges: readonly Range[];
}

/** Above either, looking for what is spelled similarly takes seconds; then letters are taken as they are. */
const mostAlike = 1_000;
const longestAlike = 32;

/** Of each kind: nobody scrolls through more, and each is rendered. */
const mostShown = 100;

/**
 * The entries that match, best first within each kind, and the kind with the best one first; all of
 * them, unchanged, when nothing is looked for. Of very many the first. What holds the very letters
 * comes before what is spelled similarly.
 */
export function searchPalette(
  FuseClass: typeof Fuse,
  entries: readonly PaletteEntry[],
  query: string,
): PaletteMatch[] {
  if (query === '') {
    const all = entries.map((entry) => ({ entry, titleRanges: [], descriptionRanges: [] }));
    return byKind(all, all[0]?.entry.kind);
  }
  const matches = searchLiterally(entries, query);
  const forgives = entries.length <= mostAlike && query.length <= longestAlike;
  // Of several words none is forgiven: any sentence would be like some description.
  if (forgives && !/\s/.test(query)) {
    const found = new Set(matches.map(({ entry }) => entry));
    const others = entries.filter((entry) => !found.has(entry));
    matches.push(...searchAlike(FuseClass, others, query));
  }
  return byKind(matches, matches[0]?.entry.kind);
}

/** In the order in which the server ranks skills. */
function searchLiterally(entries: readonly PaletteEntry[], query: string): PaletteMatch[] {
  const scoreOf = scorerFor(query);
  const words = wordsOf(query);
  return entries
    .map((entry) => ({ entry, score: scoreOf(searchableEntry(entry)) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => ({
      entry,
      titleRanges: rangesOf(entry.title, words),
      descriptionRanges: rangesOf(entry.description, words),
    }));
}

/** Kept as long as the entries: each letter that is typed asks for all of them. */
const kept = new WeakMap<PaletteEntry, ReturnType<typeof searchable>>();

function searchableEntry(entry: PaletteEntry): ReturnType<typeof searchable> {
  const known = kept.get(entry);
  if (known) {
    return known;
  }
  const { title: name, hint, description } = entry;
  const more = entry.kind === 'skill' ? [entry.skill.displayName, ...entry.skill.tags] : [];
  const made = searchable({ name, otherNames: [hint, ...more], description });
  kept.set(entry, made);
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
function searchAlike(
  FuseClass: typeof Fuse,
  entries: readonly PaletteEntry[],
  query: string,
): PaletteMatch[] {
  const fuse = new FuseClass(entries, {
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
    titleRanges: found.find(({ key }) => key === 'title')?.indices ?? [],
    descriptionRanges: found.find(({ key }) => key === 'description')?.indices ?? [],
  }));
}

function byKind(matches: PaletteMatch[], first: PaletteEntry['kind'] | undefined): PaletteMatch[] {
  return [
    ...matches.filter(({ entry }) => entry.kind === first).slice(0, mostShown),
    ...matches.filter(({ entry }) => entry.kind !== first).slice(0, mostShown),
  ];
}
