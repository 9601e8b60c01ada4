import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The caret position of a text field, and a function to move it when the text changes. */
export function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string) {
  const [seen, setSeen] = useState({ text: '', at: 0 });
  const wanted = useRef<number>(undefined);

  useLayoutEffect(() => {
    if (wanted.current !== undefined) {
      field.current?.setSelectionRange(wanted.current, wanted.current);
      wanted.current = undefined;
    }
  });

  return {
    /** At the end of a text that was set programmatically. */
    at: seen.text === text ? seen.at : text.length,
    /** Call this when the field or its selection has changed. */
    look: ({ value, selectionEnd }: HTMLTextAreaElement) => {
      // Skips unchanged positions, because React would otherwise re-render once more.
      if (seen.text !== value || seen.at !== selectionEnd) {
        setSeen({ text: value, at: selectionEnd });
      }
    },
    /** The caret position in the text that the field is about to show. */
    put: (next: string, at: number) => {
      wanted.current = at;
      setSeen({ text: next, at });
    },
  };
}
