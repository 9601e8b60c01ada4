import { type KeyboardEvent, useId, useState } from 'react';
import { useListKeys } from '../../ui/focus/use-list-keys.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { type SlashInput, slashInput } from './slash.ts';
import { usePaletteSections } from './use-palette-sections.ts';
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
