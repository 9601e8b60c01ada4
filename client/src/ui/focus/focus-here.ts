/** A `ref` callback that focuses an element when it appears, so that the focus is not lost with its predecessor. */
export function focusHere(element: HTMLElement | null): void {
  element?.focus();
}
