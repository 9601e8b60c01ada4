import { type RefObject, useEffect } from 'react';

const control = 'a, button:not([role=menuitem]), input';

/** When the focused item of a list disappears, its successor takes the focus. */
export function useFocusSuccessor(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current;
    let last: Element | null = null;
    let place = 0;
    const controls = () => [...(element?.querySelectorAll<HTMLElement>(control) ?? [])];
    const note = ({ target }: FocusEvent) => {
      const index = controls().indexOf(target as HTMLElement);
      if (index !== -1) {
        last = target as HTMLElement;
        place = index;
      }
    };
    const observer = new MutationObserver(() => {
      if (last && !last.isConnected && document.activeElement === document.body) {
        const now = controls();
        now[Math.min(place, now.length - 1)]?.focus({ preventScroll: true });
      }
    });
    element?.addEventListener('focusin', note);
    if (element) {
      observer.observe(element, { childList: true, subtree: true });
    }
    return () => {
      element?.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, [list]);
}
