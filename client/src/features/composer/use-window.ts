import { type RefObject, useLayoutEffect, useState } from 'react';
import type { PaletteSection } from './arrange-palette.ts';

/** In pixels, as in the style sheet. */
const rowHeight = 52;
export const headingHeight = 30;
const padding = 4;

/** Maximum number of visible rows, and overscan in each direction. */
const inView = 9;
const beyond = 6;

/** The rendered window of a long list, and its offset. */
export interface ShownSection extends Omit<PaletteSection, 'matches'> {
  /** Index of its first row. */
  start: number;
  height: number;
  rows: { match: PaletteSection['matches'][number]; index: number; top: number }[];
}

/**
 * Virtualises a list: renders the rows in view and the active one, which it scrolls to. All rows have the same
 * height.
 */
export function useWindow(
  list: RefObject<HTMLDivElement | null>,
  sections: readonly PaletteSection[],
  active: number,
) {
  const [scrolled, setScrolled] = useState(0);
  const top = getOffset(sections, active);

  useLayoutEffect(() => {
    const element = list.current;
    if (element) {
      const highest = active === 0 ? 0 : top - headingHeight;
      const lowest = top + rowHeight + padding - element.clientHeight;
      element.scrollTop = Math.min(Math.max(element.scrollTop, lowest), highest);
      setScrolled(element.scrollTop);
    }
  }, [list, active, top]);

  const from = scrolled - beyond * rowHeight;
  const to = scrolled + (inView + beyond) * rowHeight;
  let offset = padding;
  let start = 0;
  const shown = sections.map(({ matches, ...section }): ShownSection => {
    const first = start;
    const rowsTop = offset + headingHeight;
    const height = headingHeight + matches.length * rowHeight;
    const rows = matches
      .map((match, at) => ({ match, index: first + at, top: headingHeight + at * rowHeight }))
      .filter(({ index }, at) => {
        const rowTop = rowsTop + at * rowHeight;
        return index === active || (rowTop + rowHeight > from && rowTop < to);
      });
    start += matches.length;
    offset += height;
    return { ...section, start: first, height, rows };
  });
  return { shown, onScroll: () => setScrolled(list.current?.scrollTop ?? 0) };
}

/** Offset of a row. */
function getOffset(sections: readonly PaletteSection[], index: number): number {
  let start = 0;
  let top = padding;
  for (const { matches } of sections) {
    top += headingHeight;
    if (index < start + matches.length) {
      return top + (index - start) * rowHeight;
    }
    start += matches.length;
    top += matches.length * rowHeight;
  }
  return top;
}
