import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** When a lost focus is looked for, in ms: at once, and when a dialog that led here has gone. */
const moments = [0, 400];

/** Puts the focus into a page that somebody went to, unless something there or beside it has it. */
export function usePageFocus(): void {
  const page = pageOf(useLocation().pathname);
  const last = useRef(page);
  useEffect(() => {
    // `/admin` only leads on to the first page.
    const isFirst = last.current === page || last.current === '/admin';
    last.current = page;
    if (isFirst) {
      return;
    }
    const timers = moments.map((moment) => setTimeout(focusLost, moment));
    return () => timers.forEach(clearTimeout);
  }, [page]);
}

/** Without what says which tab of the page is open: `/admin/skills/pdf` of `/admin/skills/pdf/files`. */
function pageOf(pathname: string): string {
  return pathname.split('/').slice(0, 4).join('/').replace(/\/$/, '');
}

/** Not the heading: it is another one when the page's data has come. */
function focusLost(): void {
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
}
