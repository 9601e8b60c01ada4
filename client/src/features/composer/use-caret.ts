import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Where the caret of a text field is, and a way to put it somewhere when its text changes. */
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
    /** At the end of a text that came from elsewhere. */
    at: seen.text === text ? seen.at : text.length,
    /** To be called when the field or its selection has changed. */
    look: ({ value, selectionEnd }: HTMLTextAreaElement) => {
      // What is the same is not even asked for: React would render all of it once more to find out.
      if (seen.text !== value || seen.at !== selectionEnd) {
        setSeen({ text: value, at: selectionEnd });
      }
    },
    /** Where it shall be in the text that the field is about to get. */
    put: (next: string, at: number) => {
      wanted.current = at;
      setSeen({ text: next, at });
    },
  };
}
