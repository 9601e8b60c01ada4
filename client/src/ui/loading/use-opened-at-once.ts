import { useLayoutEffect, useRef, useState } from 'react';

/** For a component behind `openedLater`: moves the focus to the new button, and opens. */
export function useOpenedAtOnce() {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useLayoutEffect(() => {
    button.current?.focus();
    setIsOpen(true);
  }, []);
  return { button, isOpen, setIsOpen };
}
