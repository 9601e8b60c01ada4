import { useEffect, useRef } from 'react';

interface Shortcuts {
  search: () => void;
  newConversation: () => void;
  keys: () => void;
}

/** Global shortcuts; single letters work only while no text is being typed. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const name = getShortcut(event);
      if (name) {
        event.preventDefault();
        latest.current[name]();
      }
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function getShortcut(event: KeyboardEvent): keyof Shortcuts | undefined {
  const key = event.key.toLowerCase();
  if (event.metaKey || event.ctrlKey) {
    if (key === 'k' && !event.shiftKey) {
      return 'search';
    }
    return key === 'o' && event.shiftKey ? 'newConversation' : undefined;
  }
  return key === '?' && !isTyping(event) ? 'keys' : undefined;
}

/** Whether a key goes into a text field. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}
