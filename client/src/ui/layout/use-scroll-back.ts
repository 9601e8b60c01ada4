import { type RefObject, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The scroll position at which the user left each page, and the query of its address. */
interface Left {
  top: number;
  search: string;
}

/** By path. */
const left = new Map<string, Left>();
const maxLeft = 100;

/** Content that does not arrive in this time does not move the page any more, in milliseconds. */
const maxWaitMs = 5000;

const returning = { isReturn: true } as const;

/** A link to the parent page as the user left it: with its filters, and its scroll position. */
export function getReturnLink(path: string): { to: string; state: typeof returning } {
  return { to: `${path}${left.get(path)?.search ?? ''}`, state: returning };
}

/** Restores the scroll position of a page when the user comes back to it, once its content is long enough. */
export function useScrollBack(scroller: RefObject<HTMLElement | null>): void {
  const { pathname, search, state } = useLocation();
  const isReturn = useNavigationType() === 'POP' || isReturnState(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the occasion
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) {
      return;
    }
    const known = left.get(pathname);
    const wanted = isReturn && known?.search === search ? known.top : 0;
    const stop = wanted > 0 ? scrollWhenLong(element, wanted) : undefined;
    const note = () => remember(pathname, { top: element.scrollTop, search });
    if (!stop) {
      note();
    }
    element.addEventListener('scroll', note, { passive: true });
    return () => {
      stop?.();
      element.removeEventListener('scroll', note);
    };
  }, [pathname, search]);
}

function isReturnState(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isReturn' in state;
}

function remember(path: string, place: Left): void {
  left.delete(path);
  left.set(path, place);
  const [oldest] = left.keys();
  if (left.size > maxLeft && oldest !== undefined) {
    left.delete(oldest);
  }
}

/** Returns a function that stops waiting for content. The user's own scrolling stops it, too. */
function scrollWhenLong(element: HTMLElement, top: number): () => void {
  const own = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;
  const attempt = () => {
    if (element.scrollHeight - element.clientHeight >= top) {
      element.scrollTop = top;
      stop();
    }
  };
  const observer = new ResizeObserver(attempt);
  const timer = setTimeout(stop, maxWaitMs);
  function stop() {
    clearTimeout(timer);
    observer.disconnect();
    for (const event of own) {
      element.removeEventListener(event, stop);
    }
  }
  for (const event of own) {
    element.addEventListener(event, stop, { passive: true });
  }
  for (const child of element.children) {
    observer.observe(child);
  }
  attempt();
  return stop;
}
