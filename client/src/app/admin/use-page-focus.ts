import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Delays in ms before focus is restored: immediately, and after the dialog that led here has closed. */
const moments = [0, 400];

/** Moves the focus into a page after navigation, unless something in it or next to it has the focus. */
export function usePageFocus(): void {
  const page = getPagePath(useLocation().pathname);
  const last = useRef(page);
  useEffect(() => {
    // `/admin` only redirects to the first page.
    const isFirst = last.current === page || last.current === '/admin';
    last.current = page;
    if (isFirst) {
      return;
    }
    const timers = moments.map((moment) => setTimeout(restoreLostFocus, moment));
    return () => timers.forEach(clearTimeout);
  }, [page]);
}

/** Removes the tab from the path: `/admin/skills/pdf/files` becomes `/admin/skills/pdf`. */
function getPagePath(pathname: string): string {
  return pathname.split('/').slice(0, 4).join('/').replace(/\/$/, '');
}

/** Not the heading: it is replaced when the page's data has loaded. */
function restoreLostFocus(): void {
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
}
