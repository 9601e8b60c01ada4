import { createContext, useCallback, useState } from 'react';

/** Summary of a form section, shown next to the form. */
export interface SectionEntry {
  /** ID of its heading. */
  id: string;
  title: string;
  /** A short summary of its values. */
  summary: string;
  /** Number of fields with errors. */
  errors: number;
}

interface SectionRegister {
  put: (entry: SectionEntry) => void;
  drop: (id: string) => void;
}

/** The list in which form sections register their summaries; undefined if there is none. */
export const SectionContext = createContext<SectionRegister | undefined>(undefined);

/** The registered sections, in page order. */
export function useSectionList() {
  const [entries, setEntries] = useState<readonly SectionEntry[]>([]);
  const put = useCallback((entry: SectionEntry) => {
    setEntries((known) =>
      [...known.filter(({ id }) => id !== entry.id), entry].sort(comparePositions),
    );
  }, []);
  const drop = useCallback((id: string) => {
    setEntries((known) => known.filter((entry) => entry.id !== id));
  }, []);
  const [register] = useState({ put, drop });
  return { entries, register };
}

function comparePositions(one: SectionEntry, other: SectionEntry): number {
  const [first, second] = [document.getElementById(one.id), document.getElementById(other.id)];
  if (!first || !second) {
    return 0;
  }
  return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
