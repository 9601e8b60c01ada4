import { type RefObject, useLayoutEffect } from 'react';

/** Makes a text field as high as its text, up to the `max-height` of its style. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, value: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides on the height
  useLayoutEffect(() => {
    const element = field.current;
    if (element) {
      element.style.height = 'auto';
      element.style.height = `${element.scrollHeight}px`;
    }
  }, [field, value]);
}
