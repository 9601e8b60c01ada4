import { useLayoutEffect, useRef } from 'react';

/**
 * Takes the focus back to where it was before a dialog opened: one that is loaded when wanted and gone when
 * closed is too fast to keep that in mind by itself.
 */
export function useFocusBack(isOpen: boolean): void {
  const before = useRef<Element>(null);
  useLayoutEffect(() => {
    if (isOpen) {
      before.current ??= buttonOf(document.activeElement);
      return;
    }
    const element = before.current;
    before.current = null;
    if (element instanceof HTMLElement) {
      setTimeout(() => document.activeElement === document.body && element.focus());
    }
  }, [isOpen]);
}

/** Of an item of a menu, which is gone by then, the button of the menu. */
function buttonOf(element: Element | null): Element | null {
  const id = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return id ? document.getElementById(id) : element;
}
