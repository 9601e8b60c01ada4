import { useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus to where it was before a dialog opened. A lazily loaded dialog that unmounts on close cannot
 * do so itself.
 */
export function useFocusBack(isOpen: boolean): void {
  const before = useRef<Element>(null);
  useLayoutEffect(() => {
    if (isOpen) {
      before.current ??= findMenuButton(document.activeElement);
      return;
    }
    const element = before.current;
    before.current = null;
    if (element instanceof HTMLElement) {
      setTimeout(() => document.activeElement === document.body && element.focus());
    }
  }, [isOpen]);
}

/** For a menu item, which is gone by then, the menu's button. */
function findMenuButton(element: Element | null): Element | null {
  const id = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return id ? document.getElementById(id) : element;
}
