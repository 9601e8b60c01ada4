/** Puts the focus into a text field, unless that would raise a keyboard over what is to be read. */
export function focusField(field: HTMLElement | null): void {
  if (matchMedia('(hover: hover)').matches) {
    field?.focus();
  }
}
