import { type RefObject, useEffect, useLayoutEffect } from 'react';

/**
 * Gives a card the focus when it appears, unless somebody is writing or busy elsewhere, and takes it back to
 * where it was when the card goes. Screen readers are told its heading either way.
 */
export function useCardFocus(card: RefObject<HTMLElement | null>, heading: string): void {
  useLayoutEffect(() => {
    const element = card.current;
    const before = document.activeElement;
    if (isIdle(before)) {
      element?.focus();
    }
    return () => {
      const { activeElement } = document;
      // A button that is switched off while its answer is sent has lost it already.
      const isHere = activeElement === document.body || element?.contains(activeElement);
      if (isHere && before instanceof HTMLElement) {
        before.focus();
      }
    };
  }, [card]);

  // The log that the card is in says nothing before the answer has ended.
  useEffect(() => {
    const announcer = document.createElement('div');
    announcer.role = 'status';
    announcer.setAttribute('aria-live', 'polite');
    Object.assign(announcer.style, { position: 'fixed', opacity: '0', pointerEvents: 'none' });
    document.body.append(announcer);
    // A region is read out when it changes, not as it comes.
    const timer = setTimeout(() => {
      announcer.textContent = heading;
    }, 100);
    return () => {
      clearTimeout(timer);
      announcer.remove();
    };
  }, [heading]);
}

/** Nowhere, or in a field that nothing is written in, on the page itself. */
function isIdle(focused: Element | null): boolean {
  if (focused === null || focused === document.body) {
    return true;
  }
  const isField = focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement;
  return isField && focused.value === '' && !focused.closest('[role="dialog"], form, nav');
}
