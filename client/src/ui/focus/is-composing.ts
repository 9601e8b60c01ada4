import type { KeyboardEvent } from 'react';

/** Whether a key belongs to an input method (IME) composition. */
export function isComposing(event: KeyboardEvent): boolean {
  // Safari signals the Enter that ends a composition only by this key code.
  return event.nativeEvent.isComposing || event.keyCode === 229;
}
