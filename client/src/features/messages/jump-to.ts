import type { RefObject } from 'react';
import classes from './jump-to.module.css';
import { keepInView } from './keep-in-view.ts';
import { highlightWords } from './mark-words.ts';

interface Wanted {
  /** The message. */
  id: string;
  /** The matched text, spelled as in the message. */
  words: readonly string[];
  scroller: RefObject<HTMLElement | null>;
  /** Called before the view moves; it then stays there. */
  onLeave: () => void;
  /** Aborted when the reader goes elsewhere: nothing is highlighted any more. */
  signal: AbortSignal;
}

/** Scrolls to a message, focuses it, and briefly highlights it and the matched words. */
export function jumpTo({ id, words, scroller, onLeave, signal }: Wanted): void {
  const message = document.getElementById(id);
  const view = scroller.current;
  if (!message || !view || signal.aborted) {
    return;
  }
  const jumped = classes.jumped ?? '';
  message.classList.add(jumped);
  message.tabIndex = -1;
  message.focus({ preventScroll: true });
  keepInView(view, { message, onLeave, wordIn: () => highlightWords(message, words), signal });
  signal.addEventListener('abort', () => {
    highlightWords(message, []);
    message.classList.remove(jumped);
  });
}
