import { type RefObject, useLayoutEffect } from 'react';

/** Browsers with native autosizing lay out a text once per keystroke instead of three times. */
const canItself = typeof CSS !== 'undefined' && CSS.supports?.('field-sizing', 'content');

/** Autosizes a text field with a fixed width, up to its `max-height`. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, value: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides on the height
  useLayoutEffect(() => {
    const element = field.current;
    // The number of rows is the minimum, which CSS does not know.
    if (element && canItself && element.rows === 1) {
      element.style.setProperty('field-sizing', 'content');
    } else if (element) {
      element.style.height = 'auto';
      element.style.height = `${element.scrollHeight}px`;
    }
  }, [field, value]);
}
