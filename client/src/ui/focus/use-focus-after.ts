import { useEffect, useRef } from 'react';

/** Moves the focus to the page's heading when the focused part of the page disappears. */
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
