import { queryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { loadCode } from '../../ui/load-code.ts';
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

/**
 * The palette's state: open while a `/name` is typed and Escape was not pressed since. Spaces belong
 * to what is looked for, until what is typed is a name and a text, or finds nothing.
 */
export function usePalette({ appId, text, onChoose }: PaletteOptions) {
  const slash = slashInput(text);
  const [dismissed, setDismissed] = useState(false);
  if (dismissed && !slash) {
    setDismissed(false);
  }
  const isWanted = slash !== undefined && !dismissed;
  const query = slash?.query.trim() ?? '';
  const fuse = useQuery({ ...fuseCode, enabled: isWanted });
  const found = usePaletteEntries({ appId, wanted: isWanted, query });
  const { entries, isNamed, isPending } = found;
  const FuseClass = fuse.data;
  const error = found.error ?? fuse.error;
  const matches = useMemo(
    () => (FuseClass && isWanted ? searchPalette(FuseClass, entries, query) : []),
    [FuseClass, isWanted, entries, query],
  );
  const isText = /\s/.test(slash?.query ?? '') && (isNamed || matches.length === 0);
  const isOpen = isWanted && !isText;
  const listId = useId();

  function choose(index: number) {
    const match = matches[index];
    if (match) {
      onChoose(match.entry, slash?.before ?? '');
    }
  }

  /** Whether what is found so far may not be what was typed. */
  const isWaiting = isWanted && error === null && (isPending || !FuseClass);
  const keys = useListKeys({
    subject: query,
    count: matches.length,
    onChoose: choose,
    tab: true,
  });

  /** Returns whether the key was the palette's. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (isWaiting && event.key === 'Enter') {
      return false;
    }
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
    isWaiting,
    error,
    retry: () => Promise.all([found.retry(), fuse.refetch()]),
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

const fuseCode = queryOptions({
  queryKey: ['fuse.js'],
  queryFn: async () => (await loadCode(() => import('fuse.js'))).default,
  staleTime: Number.POSITIVE_INFINITY,
});
