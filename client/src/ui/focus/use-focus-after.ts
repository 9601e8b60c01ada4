import { useEffect, useRef } from 'react';

/** When a part of the page goes, and the focus with it, the focus moves to the page's heading. */
export function useFocusAfter(isShown: boolean): void {
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (wasShown.current && !isShown) {
      focusHeading();
    }
    wasShown.current = isShown;
  }, [isShown]);
}

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading && document.activeElement === document.body) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}
