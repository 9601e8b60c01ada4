import type Fuse from 'fuse.js';
import type { Range } from '../../ui/marked-text.tsx';
import type { PaletteEntry } from './palette-entry.ts';

/** An entry that is shown, with the letters to mark. */
export interface PaletteMatch {
  entry: PaletteEntry;
  titleRanges: readonly Range[];
  descriptionRanges: readonly Range[];
}

/**
 * The entries that match, best first within each kind, and the kind with the best one first; all of
 * them, unchanged, when nothing is looked for.
 */
export function searchPalette(
  FuseClass: typeof Fuse,
  entries: readonly PaletteEntry[],
  query: string,
): PaletteMatch[] {
  if (query === '') {
    return entries.map((entry) => ({ entry, titleRanges: [], descriptionRanges: [] }));
  }
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
  const matches = fuse.search(query).map(({ item, matches: found = [] }) => ({
    entry: item,
    titleRanges: found.find(({ key }) => key === 'title')?.indices ?? [],
    descriptionRanges: found.find(({ key }) => key === 'description')?.indices ?? [],
  }));
  const best = matches[0]?.entry.kind;
  return [
    ...matches.filter(({ entry }) => entry.kind === best),
    ...matches.filter(({ entry }) => entry.kind !== best),
  ];
}
