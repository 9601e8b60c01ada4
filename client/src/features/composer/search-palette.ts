import { createScorer, searchable, splitWords } from '@knowhow/shared/skills/scorer-for';
import type { SkillSummary } from '@knowhow/shared/skills/skills';
import Fuse from 'fuse.js';
import type { Range } from '../../ui/text/marked-text.tsx';
import type { PaletteEntry } from './palette-entry.ts';

/** A matching entry, with the letters to highlight. */
export interface PaletteMatch {
  entry: PaletteEntry;
  /** Relevance from 1 (exact name) down to 0 (only similar). */
  score: number;
  titleRanges: readonly Range[];
  descriptionRanges: readonly Range[];
}

interface Wanted {
  query: string;
  /** Whether the server has ranked the skills. */
  isRanked: boolean;
  /** Whether fuzzy matches are included. */
  forgives: boolean;
}

/** Above either limit, fuzzy search takes seconds; then only exact matches are found. */
const mostAlike = 1_000;
const longestAlike = 32;

/** The matching entries, best first; ties keep their order. Exact matches rank before fuzzy ones. */
export function searchPalette(entries: readonly PaletteEntry[], wanted: Wanted): PaletteMatch[] {
  const { query } = wanted;
  const matches = searchExact(entries, wanted);
  const forgives = wanted.forgives && entries.length <= mostAlike && query.length <= longestAlike;
  // No typo tolerance for several words: any sentence would resemble some description.
  if (forgives && !/\s/.test(query)) {
    const found = new Set(matches.map(({ entry }) => entry));
    const others = entries.filter((entry) => !found.has(entry));
    matches.push(...searchFuzzy(others, query));
  }
  return matches;
}

/** Deprecated skills come last. */
function compareDeprecated(one: PaletteEntry, other: PaletteEntry): number {
  return Number(isDeprecated(one)) - Number(isDeprecated(other));
}

function isDeprecated(entry: PaletteEntry): boolean {
  return entry.kind === 'skill' && entry.skill.deprecated !== undefined;
}

/** In the server's ranking of skills. */
function searchExact(
  entries: readonly PaletteEntry[],
  { query, isRanked }: Wanted,
): PaletteMatch[] {
  const scoreOf = createScorer(query);
  const words = splitWords(query);
  return entries
    .map((entry) => ({
      entry,
      score: (isRanked ? getServerScore(entry) : undefined) ?? scoreOf(searchableEntry(entry)),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => compareDeprecated(one.entry, other.entry) || other.score - one.score)
    .map(({ entry, score }) => ({
      entry,
      score,
      titleRanges: findRanges(entry.title, words),
      descriptionRanges: findRanges(entry.description, words),
    }));
}

/** The server also searches the instructions. */
function getServerScore(entry: PaletteEntry): number | undefined {
  return entry.kind === 'skill' ? entry.skill.score : undefined;
}

/** Cached as long as its inputs are the same: each keystroke searches all of them. */
const kept = new WeakMap<object, ReturnType<typeof searchable>>();

function searchableEntry(entry: PaletteEntry): ReturnType<typeof searchable> {
  const subject = entry.kind === 'skill' ? entry.skill : entry;
  const known = kept.get(subject);
  if (known) {
    return known;
  }
  const { title: name, hint, description, category = '' } = entry;
  const made =
    entry.kind === 'skill'
      ? searchableSkill(entry.skill, [hint, category])
      : searchable({ name, otherNames: [hint, category], description });
  kept.set(subject, made);
  return made;
}

/** In all languages. */
function searchableSkill(
  { name, displayName, description, tags, translations }: SkillSummary,
  otherNames: readonly string[],
): ReturnType<typeof searchable> {
  const { title = {}, description: described = {} } = translations ?? {};
  return searchable({
    name,
    otherNames: [displayName, ...Object.values(title), ...tags, ...otherNames],
    description: [description, ...Object.values(described)].join(' '),
  });
}

/** Finds the words in order, without overlap. */
function findRanges(text: string, words: readonly string[]): Range[] {
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

/** Fuzzy search, tolerant of typos. */
function searchFuzzy(entries: readonly PaletteEntry[], query: string): PaletteMatch[] {
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
