import type { RefObject } from 'react';
import classes from './jump-to.module.css';
import { keepInView } from './keep-in-view.ts';

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

/** Maximum number of highlights. */
const mostMarked = 200;

/** Highlights exactly matching words in a message; returns the first position. */
function highlightWords(message: HTMLElement, words: readonly string[]): Range | undefined {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
  while (words.length > 0 && ranges.length < mostMarked && texts.nextNode()) {
    const node = texts.currentNode;
    const text = node.textContent ?? '';
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  // If the browser does not support it, the message as a whole is still highlighted.
  if (typeof Highlight === 'function') {
    CSS.highlights.set('found', new Highlight(...ranges));
  }
  return ranges[0];
}
