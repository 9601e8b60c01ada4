import type Fuse from 'fuse.js';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { useListKeys } from '../../ui/use-list-keys.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { searchPalette } from './search-palette.ts';
import { slashInput } from './slash.ts';
import { usePaletteEntries } from './use-palette-entries.ts';

interface PaletteOptions {
  appId: string;
  text: string;
  /** Called with the chosen entry, and the text without what was typed to find it. */
  onChoose: (entry: PaletteEntry, rest: string) => void;
}

export type Palette = ReturnType<typeof usePalette>;

/** The palette's state: open while a `/name` is typed and Escape was not pressed since. */
export function usePalette({ appId, text, onChoose }: PaletteOptions) {
  const slash = slashInput(text);
  const [dismissed, setDismissed] = useState(false);
  if (dismissed && !slash) {
    setDismissed(false);
  }
  const isOpen = slash !== undefined && !dismissed;
  const query = slash?.query ?? '';
  const { entries, isPending, error, retry } = usePaletteEntries(appId, isOpen);
  const FuseClass = useFuse(isOpen);
  const matches = useMemo(
    () => (FuseClass && isOpen ? searchPalette(FuseClass, entries, query) : []),
    [FuseClass, isOpen, entries, query],
  );
  const listId = useId();

  function choose(index: number) {
    const match = matches[index];
    if (match) {
      onChoose(match.entry, slash?.before ?? '');
    }
  }

  const keys = useListKeys({
    subject: query,
    count: matches.length,
    onChoose: choose,
    tab: true,
  });

  /** Tells whether the key was the palette's. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (isOpen && event.key === 'Escape') {
      setDismissed(true);
      event.preventDefault();
      return true;
    }
    return isOpen && keys.onKeyDown(event);
  }

  return {
    isOpen,
    query,
    matches,
    isPending: isPending || !FuseClass,
    error,
    retry,
    listId,
    active: keys.active,
    setActive: keys.setActive,
    choose,
    onKeyDown,
    close: () => setDismissed(true),
  };
}

/** The id of an option's element: what the text field names as its active descendant. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

function useFuse(wanted: boolean): typeof Fuse | undefined {
  const [loaded, setLoaded] = useState<{ Fuse: typeof Fuse }>();
  useEffect(() => {
    if (wanted) {
      void import('fuse.js').then((module) => setLoaded({ Fuse: module.default }));
    }
  }, [wanted]);
  return loaded?.Fuse;
}
