import type { PaletteEntry } from './palette-entry.ts';
import { type PaletteMatch, searchPalette } from './search-palette.ts';
import type { UserEntries } from './user-entries.ts';

/** Rows under one heading. */
export interface PaletteSection {
  kind: 'favourites' | 'recent' | 'category' | 'skills' | 'otherSkills' | 'ownPrompts' | 'prompts';
  /** Name of a category; unique together with the kind. */
  name: string;
  matches: PaletteMatch[];
  /** Their total number, which may exceed those loaded. */
  total: number;
}

type Wanted = Parameters<typeof searchPalette>[1];

interface Offer {
  entries: readonly PaletteEntry[];
  own: UserEntries;
  /** Number of further skills that are not loaded. */
  more: number;
}

/** Fewer skills need no headings; each shows its category itself. */
const groupedFrom = 12;

/**
 * The rows of the palette. Without a search: favourites, recently used, skills by category, then prompts. With a
 * search: best match first, the kind with the best match first; ties by favourites, then recently used.
 */
export function arrangePalette(offer: Offer, wanted: Wanted): PaletteSection[] {
  const sections = wanted.query === '' ? arrangeAll(offer) : arrangeMatches(offer, wanted);
  return sections.filter(({ matches }) => matches.length > 0);
}

function arrangeAll({ entries, own, more }: Offer): PaletteSection[] {
  const rest = entries.filter(({ key }) => !own.favourites.has(key) && !own.recent.has(key));
  const skills = rest.filter(({ kind }) => kind === 'skill');
  // If only the first of very many are loaded, their categories would be incomplete.
  const isGrouped = more === 0 && skills.length >= groupedFrom;
  const categories = isGrouped ? listCategories(skills) : [];
  const others = categories.length > 0 ? skills.filter(({ category }) => !category) : skills;
  return [
    section('favourites', sortByKeys(own.favourites, entries)),
    section('recent', sortByKeys(own.recent, entries)),
    ...categories.map((category) =>
      section(
        'category',
        skills.filter((entry) => entry.category === category),
        category,
      ),
    ),
    {
      ...section(categories.length > 0 ? 'otherSkills' : 'skills', others),
      total: others.length + more,
    },
    section('ownPrompts', rest.filter(isOwnPrompt)),
    section(
      'prompts',
      rest.filter((entry) => entry.kind === 'prompt' && !isOwnPrompt(entry)),
    ),
  ];
}

function arrangeMatches({ entries, own }: Offer, wanted: Wanted): PaletteSection[] {
  const rank = ({ key }: PaletteEntry) =>
    own.favourites.has(key) ? 0 : own.recent.has(key) ? 1 : 2;
  const matches = searchPalette(entries, wanted).sort(
    (one, other) => other.score - one.score || rank(one.entry) - rank(other.entry),
  );
  const kinds = [...new Set(matches.map(({ entry }) => getKind(entry)))];
  return kinds.map((kind) => {
    const some = matches.filter(({ entry }) => getKind(entry) === kind);
    return { kind, name: '', matches: some, total: some.length };
  });
}

function getKind(entry: PaletteEntry) {
  return entry.kind === 'skill' ? 'skills' : isOwnPrompt(entry) ? 'ownPrompts' : 'prompts';
}

function isOwnPrompt(entry: PaletteEntry): boolean {
  return entry.kind === 'prompt' && entry.prompt.own === true;
}

/** Ordered by their first skills. */
function listCategories(entries: readonly PaletteEntry[]): string[] {
  return [...new Set(entries.flatMap(({ category }) => category || []))];
}

function sortByKeys(keys: ReadonlySet<string>, entries: readonly PaletteEntry[]): PaletteEntry[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  return [...keys].flatMap((key) => byKey.get(key) ?? []);
}

function section(
  kind: PaletteSection['kind'],
  entries: readonly PaletteEntry[],
  name = '',
): PaletteSection {
  const matches = entries.map((entry) => ({
    ...{ entry, score: 1, titleRanges: [], descriptionRanges: [] },
  }));
  return { kind, name, matches, total: matches.length };
}
