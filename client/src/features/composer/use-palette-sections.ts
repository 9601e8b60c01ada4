import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { PaletteSection } from './arrange-palette.ts';
import type { Own } from './own-entries.ts';
import type { SlashInput } from './slash.ts';
import { arrangeCode, usePaletteEntries } from './use-palette-entries.ts';

interface SectionsOptions {
  appId: string;
  /** What is looked for; undefined when nothing is. */
  slash: SlashInput | undefined;
}

const nothing: PaletteSection[] = [];

/** In the middle of a text several words are looked for only while they are in a name: else it is a text. */
const named = 0.6;

/** What the palette finds for what is typed. */
export function usePaletteSections({ appId, slash }: SectionsOptions) {
  const isWanted = slash !== undefined;
  const query = slash?.query.trim() ?? '';
  const code = useQuery({ ...arrangeCode, enabled: isWanted });
  const found = usePaletteEntries({ appId, wanted: isWanted, query });
  const { entries, isNamed, isRanked, isPending, more } = found;
  const own = useOrderOf(found.own, isWanted && !isPending);
  // What is mistyped in the middle of a text is more often a text.
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
    /** Whether it is no name any more. */
    isText: /\s/.test(slash?.query ?? '') && (isNamed || !isFound),
    /** How many skills there are that are not shown. */
    more,
    /** Whether what is found so far may not be what was typed. */
    isWaiting: isWanted && error === null && (isPending || !arrange),
    error,
    retry: () => Promise.all([found.retry(), code.refetch()]),
  };
}

/** As it was when the palette opened: a row does not go elsewhere under the hand that stars it. */
function useOrderOf(own: Own, isShown: boolean): Own {
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
