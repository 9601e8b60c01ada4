import { createContext, useCallback, useState } from 'react';

/** What there is to know of a part of a form beside it. */
export interface SectionEntry {
  /** Of its heading. */
  id: string;
  title: string;
  /** What it holds, in a few words. */
  summary: string;
  /** How many of its fields have something wrong with them. */
  errors: number;
}

interface SectionRegister {
  put: (entry: SectionEntry) => void;
  drop: (id: string) => void;
}

/** Where the sections of a form say what they hold; undefined where nobody lists them. */
export const SectionContext = createContext<SectionRegister | undefined>(undefined);

/** The sections that are shown, in the order of the page. */
export function useSectionList() {
  const [entries, setEntries] = useState<readonly SectionEntry[]>([]);
  const put = useCallback((entry: SectionEntry) => {
    setEntries((known) => [...known.filter(({ id }) => id !== entry.id), entry].sort(byPlace));
  }, []);
  const drop = useCallback((id: string) => {
    setEntries((known) => known.filter((entry) => entry.id !== id));
  }, []);
  const [register] = useState({ put, drop });
  return { entries, register };
}

function byPlace(one: SectionEntry, other: SectionEntry): number {
  const [first, second] = [document.getElementById(one.id), document.getElementById(other.id)];
  if (!first || !second) {
    return 0;
  }
  return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
