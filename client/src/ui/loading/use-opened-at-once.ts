import { useLayoutEffect, useRef, useState } from 'react';

/** For what a button has opened that waited for it: takes the focus to the button that is there now, and opens. */
export function useOpenedAtOnce() {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useLayoutEffect(() => {
    button.current?.focus();
    setIsOpen(true);
  }, []);
  return { button, isOpen, setIsOpen };
}
