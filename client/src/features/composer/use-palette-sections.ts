import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PaletteSection } from './arrange-palette.ts';
import type { SlashInput } from './slash.ts';
import { arrangeCode, usePaletteEntries } from './use-palette-entries.ts';
import type { UserEntries } from './user-entries.ts';

interface SectionsOptions {
  appId: string;
  /** The search query; undefined without one. */
  slash: SlashInput | undefined;
}

const nothing: PaletteSection[] = [];

/** In the middle of a text, several words are searched only while they match a name: otherwise it is text. */
const named = 0.6;

/** The palette sections for the input. */
export function usePaletteSections({ appId, slash }: SectionsOptions) {
  const isWanted = slash !== undefined;
  const query = slash?.query.trim() ?? '';
  const code = useQuery({ ...arrangeCode, enabled: isWanted });
  const found = usePaletteEntries({ appId, wanted: isWanted, query });
  const { entries, isNamed, isRanked, isPending, more } = found;
  const own = useOrderOf(found.own, isWanted && !isPending);
  // In the middle of a text, a near match is more often plain text.
  const forgives = slash?.isInText === false;
  const arrange = isWanted ? code.data : undefined;
  const sections = useMemo(
    () => arrange?.({ entries, own, more }, { query, isRanked, forgives }) ?? nothing,
    [arrange, forgives, entries, own, more, query, isRanked],
  );
  const matches = useMemo(() => sections.flatMap((section) => section.matches), [sections]);
  const isFound = forgives ? matches.length > 0 : matches.some(({ score }) => score >= named);
  const error = found.error ?? code.error;
  return {
    query,
    sections,
    matches,
    /** Whether it is no longer a name. */
    isText: /\s/.test(slash?.query ?? '') && (isNamed || !isFound),
    /** Number of skills that are not shown. */
    more,
    /** Whether the results may be outdated. */
    isWaiting: isWanted && error === null && (isPending || !arrange),
    error,
    retry: () => Promise.all([found.retry(), code.refetch()]),
  };
}

/** Keep the order stable while the palette is open. */
function useOrderOf(own: UserEntries, isShown: boolean): UserEntries {
  const [shown, setShown] = useState(own);
  const [wasShown, setWasShown] = useState(isShown);
  if (wasShown !== isShown) {
    setWasShown(isShown);
  }
  if (shown !== own && !(isShown && wasShown)) {
    setShown(own);
    return own;
  }
  return shown;
}
