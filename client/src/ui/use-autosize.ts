import { type RefObject, useLayoutEffect } from 'react';

/** Browsers that do it by themselves lay a text out once for each key, and not three times. */
const canItself = typeof CSS !== 'undefined' && CSS.supports?.('field-sizing', 'content');

/** Makes a text field, which has a width, as high as its text, up to the `max-height` of its style. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, value: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides on the height
  useLayoutEffect(() => {
    const element = field.current;
    // With more rows than one, these are the least: that only we know.
    if (element && canItself && element.rows === 1) {
      element.style.setProperty('field-sizing', 'content');
    } else if (element) {
      element.style.height = 'auto';
      element.style.height = `${element.scrollHeight}px`;
    }
  }, [field, value]);
}
