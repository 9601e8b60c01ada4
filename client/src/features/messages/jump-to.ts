import type { RefObject } from 'react';
import classes from './jump-to.module.css';
import { markWords } from './mark-words.ts';
import { stayAt } from './stay-at.ts';

interface Wanted {
  /** The message. */
  id: string;
  /** What was looked for, as the message spells it. */
  words: readonly string[];
  scroller: RefObject<HTMLElement | null>;
  /** Called before the view moves, which stays there then. */
  onLeave: () => void;
  /** Aborts when its reader goes elsewhere: nothing is marked any more. */
  signal: AbortSignal;
}

/** Brings a message into view, gives it the focus, and marks it for a moment, and the words in it. */
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
  stayAt(view, { message, onLeave, wordIn: () => markWords(message, words), signal });
  signal.addEventListener('abort', () => {
    markWords(message, []);
    message.classList.remove(jumped);
  });
}
