/** As a `ref`: takes the focus when it appears, so that it is not lost with what was there before. */
export function focusHere(element: HTMLElement | null): void {
  element?.focus();
}
