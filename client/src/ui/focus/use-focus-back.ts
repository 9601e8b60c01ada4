import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus to where it was before a dialog opened. A lazily loaded dialog that unmounts on close cannot
 * do so itself.
 *
 * @param fallback gets the focus if the element that had it is gone
 */
export function useFocusBack(isOpen: boolean, fallback?: RefObject<HTMLElement | null>): void {
  const before = useRef<Element>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element of that moment gets the focus
  useLayoutEffect(() => {
    if (isOpen) {
      before.current ??= findMenuButton(document.activeElement);
      return;
    }
    const element = before.current;
    before.current = null;
    if (element instanceof HTMLElement) {
      setTimeout(() => {
        if (document.activeElement === document.body) {
          (element.isConnected ? element : fallback?.current)?.focus();
        }
      });
    }
  }, [isOpen]);
}

/** For a menu item, which is gone by then, the menu's button. */
function findMenuButton(element: Element | null): Element | null {
  const id = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return id ? document.getElementById(id) : element;
}
