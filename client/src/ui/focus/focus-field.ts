/** Focuses a text field, unless that would open an on-screen keyboard over the content. */
export function focusField(field: HTMLElement | null): void {
  if (matchMedia('(hover: hover)').matches) {
    field?.focus();
  }
}
