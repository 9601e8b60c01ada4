import { type RefObject, useEffect, useRef } from 'react';

/** Items of a list or table, and the choices of a radio group. */
const item = 'li, tbody > tr, input[type=radio]';
const control = 'a[href], button:not(:disabled), input:not(:disabled), summary, [tabindex]';

/**
 * Moves the focus to the first new item after a button has loaded more items of the list before it: the button is
 * disabled meanwhile, and gone after the last page.
 *
 * @returns to call when the button is pressed
 */
export function useFocusFirstNew(
  button: RefObject<HTMLButtonElement | null>,
  isLoading: boolean,
): () => void {
  const pressed = useRef<{ list: Element; count: number }>(null);
  // The list renders together with the button, which depends on the same data.
  useEffect(() => {
    const { list, count } = pressed.current ?? {};
    const next = list?.querySelectorAll<HTMLElement>(item)[count ?? 0];
    if (isLoading || !next) {
      return;
    }
    pressed.current = null;
    if ([document.body, button.current].includes(document.activeElement as HTMLButtonElement)) {
      focusItem(next);
    }
  });
  return () => {
    const list = button.current?.previousElementSibling;
    pressed.current = list ? { list, count: list.querySelectorAll(item).length } : null;
  };
}

/** Focuses the first control of an item; without one, the item. */
function focusItem(element: HTMLElement): void {
  const target = element.matches(control)
    ? element
    : (element.querySelector<HTMLElement>(control) ?? element);
  if (target === element && !element.matches(control)) {
    element.tabIndex = -1;
  }
  target.focus();
}
