import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useListKeys } from '../../ui/focus/use-list-keys.ts';
import type { PaletteSection } from './arrange-palette.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { type SlashInput, slashInput } from './slash.ts';
import { arrangeCode, usePaletteEntries } from './use-palette-entries.ts';
import type { UserEntries } from './user-entries.ts';
import { useFavourites } from './user-entries.ts';

interface PaletteOptions {
  appId: string;
  text: string;
  /** The caret position in it. */
  caret: number;
  /** Called with the chosen entry, and the text around the query. */
  onChoose: (entry: PaletteEntry, slash: SlashInput) => void;
}

export type Palette = ReturnType<typeof usePalette>;

/**
 * The palette's state. It is open while a `/name` is typed and Escape was not pressed for it. Spaces belong to
 * the query, until it is a name followed by text, or nothing matches.
 */
export function usePalette({ appId, text, caret, onChoose }: PaletteOptions) {
  const slash = slashInput(text, caret);
  const dismissal = useDismissal(text, slash);
  const isWanted = slash !== undefined && !dismissal.isDismissed;
  const found = usePaletteSections({ appId, slash: isWanted ? slash : undefined });
  const { matches, isText, query, isWaiting } = found;
  const favourites = useFavourites(appId, isWanted);
  const isOpen = isWanted && !isText;
  const listId = useId();

  function choose(index: number) {
    const match = matches[index];
    if (match && slash) {
      onChoose(match.entry, slash);
    }
  }

  const keys = useListKeys({ subject: query, count: matches.length, onChoose: choose, tab: true });
  const toggleFavourite = ({ entry }: WithEntry) =>
    favourites.toggle(entry.kind, getOptionId(entry));

  /** Returns whether the palette has handled the key. */
  function onKeyDown(event: KeyboardEvent): boolean {
    const isEnter = event.key === 'Enter';
    if (!isOpen || (isWaiting && isEnter)) {
      return false;
    }
    const active = matches[keys.active];
    if (event.key === 'Escape') {
      dismissal.dismiss();
    } else if (isEnter && event.altKey && active && favourites.canKeep) {
      toggleFavourite(active);
    } else {
      return keys.onKeyDown(event);
    }
    event.preventDefault();
    return true;
  }

  return {
    ...found,
    isOpen,
    slash,
    error: found.error ?? favourites.error,
    canKeep: favourites.canKeep,
    isFavourite: ({ entry }: WithEntry) => favourites.has(entry.kind, getOptionId(entry)),
    toggleFavourite,
    listId,
    active: keys.active,
    setActive: keys.setActive,
    choose,
    onKeyDown,
    close: dismissal.dismiss,
  };
}

export interface WithEntry {
  entry: PaletteEntry;
}

function getOptionId(entry: PaletteEntry): string {
  return entry.kind === 'skill' ? entry.skill.name : entry.prompt.id;
}

/** Escape closes it for the current word. */
function useDismissal(text: string, slash: SlashInput | undefined) {
  const [at, setAt] = useState<number>();
  if (at !== undefined && text.charAt(at) !== '/') {
    setAt(undefined);
  }
  const start = slash?.before.length;
  return {
    isDismissed: at !== undefined && at === start,
    dismiss: () => setAt(start),
  };
}

/** The element ID of an option, for `aria-activedescendant`. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

interface SectionsOptions {
  appId: string;
  /** The search query; undefined without one. */
  slash: SlashInput | undefined;
}

const nothing: PaletteSection[] = [];

/** In the middle of a text, several words are searched only while they match a name: otherwise it is text. */
const named = 0.6;

/** The palette sections for the input. */
function usePaletteSections({ appId, slash }: SectionsOptions) {
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
