import type { RefObject } from 'react';
import classes from './jump-to.module.css';

interface JumpTarget {
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
export function jumpTo({ id, words, scroller, onLeave, signal }: JumpTarget): void {
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

interface ViewTarget {
  message: HTMLElement;
  onLeave: () => void;
  /** Position of the first matched word in the message, as far as it is rendered. */
  wordIn: () => Range | undefined;
  signal: AbortSignal;
}

/** Content above is laid out lazily: keep adjusting for at most this long, in ms. */
const longest = 2000;
const quietFrames = 12;

/** Scrolls a message to the top, and keeps it there until the layout is stable or the user interacts. */
function keepInView(view: HTMLElement, { message, onLeave, wordIn, signal }: ViewTarget): void {
  const listening = new AbortController();
  const end = () => listening.abort();
  signal.addEventListener('abort', end, { signal: listening.signal });
  for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
    window.addEventListener(type, end, { signal: listening.signal, passive: true });
  }
  const until = performance.now() + longest;
  let top = Number.NaN;
  let quiet = 0;

  function look() {
    if (listening.signal.aborted || performance.now() > until || quiet > quietFrames) {
      end();
      return;
    }
    onLeave();
    message.scrollIntoView({ block: 'start', behavior: 'instant' });
    scrollToWord(view, wordIn());
    quiet = Math.abs(view.scrollTop - top) <= 1 ? quiet + 1 : 0;
    top = view.scrollTop;
    requestAnimationFrame(look);
  }
  look();
}

/** Scrolls further if the word is below the viewport, as in a long message. */
function scrollToWord(view: HTMLElement, word: Range | undefined): void {
  const { bottom, height } = view.getBoundingClientRect();
  const place = word?.getBoundingClientRect();
  if (place && place.top > bottom - 40) {
    view.scrollTop += place.top - bottom + height / 2;
  }
}
