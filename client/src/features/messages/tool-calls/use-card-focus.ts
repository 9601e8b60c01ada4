import { type RefObject, use, useEffect, useLayoutEffect } from 'react';
import { ThreadStateContext } from '../thread-state.ts';

/**
 * Focuses a card when it appears, unless the user is typing or busy elsewhere, and returns the focus when it
 * disappears, or else moves it to the composer. Screen readers announce its heading either way.
 */
export function useCardFocus(card: RefObject<HTMLElement | null>, heading: string): void {
  const { focusComposer } = use(ThreadStateContext);
  useLayoutEffect(() => {
    const element = card.current;
    const before = document.activeElement;
    if (isIdle(before)) {
      element?.focus();
    }
    return () => {
      const { activeElement } = document;
      // A button that is disabled while its answer is sent has already lost the focus.
      const isHere = activeElement === document.body || element?.contains(activeElement);
      if (!isHere) {
        return;
      }
      const isKept = before instanceof HTMLElement && before !== document.body;
      if (isKept && before.isConnected) {
        before.focus();
      } else {
        focusComposer?.();
      }
    };
  }, [card, focusComposer]);

  // The surrounding live region is silent until the answer has ended.
  useEffect(() => {
    const announcer = document.createElement('div');
    announcer.role = 'status';
    announcer.setAttribute('aria-live', 'polite');
    Object.assign(announcer.style, { position: 'fixed', opacity: '0', pointerEvents: 'none' });
    document.body.append(announcer);
    // A live region is announced when it changes, not when it appears.
    const timer = setTimeout(() => {
      announcer.textContent = heading;
    }, 100);
    return () => {
      clearTimeout(timer);
      announcer.remove();
    };
  }, [heading]);
}

/** Nothing focused, or an empty text field of the page itself. */
function isIdle(focused: Element | null): boolean {
  if (focused === null || focused === document.body) {
    return true;
  }
  const isField = focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement;
  return isField && focused.value === '' && !focused.closest('[role="dialog"], form, nav');
}
