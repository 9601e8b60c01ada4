interface Wanted {
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
export function keepInView(view: HTMLElement, { message, onLeave, wordIn, signal }: Wanted): void {
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
