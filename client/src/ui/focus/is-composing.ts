import type { KeyboardEvent } from 'react';

/** Whether a key belongs to an input method that is putting a letter together. */
export function isComposing(event: KeyboardEvent): boolean {
  // Safari says so only by this key code when Enter ends the composition.
  return event.nativeEvent.isComposing || event.keyCode === 229;
}
