import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** From a gesture to the first scroll that comes of it, at most, in ms. */
const gestureLasts = 500;

/**
 * Keeps a scrolling element at its end while its content grows, as long as the reader is there.
 * Scrolling up, or `letGo`, lets go; scrolling back to the end, or `toEnd`, takes hold again.
 *
 * @param isEmpty it is read from its beginning, and stays where it is
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>, isEmpty: boolean) {
  const following = useRef(true);
  const empty = useLatest(isEmpty);
  const follow = useCallback(
    (isFollowing: boolean) => {
      following.current = isFollowing;
      // Else the browser moves up by what shrinks above, which looks as if the reader did.
      scroller.current?.style.setProperty('overflow-anchor', isFollowing ? 'none' : 'auto');
    },
    [scroller],
  );
  const lastTop = useRef(0);
  const [isAway, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element && !empty.current) {
      follow(true);
      element.scrollTop = element.scrollHeight;
      // So that a scroll upwards which follows at once is not taken for part of this one.
      lastTop.current = element.scrollTop;
    }
  }, [scroller, follow, empty]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) {
      return;
    }
    lastTop.current = element.scrollTop;
    const lowest = () => element.scrollHeight - element.clientHeight;
    const distance = () => lowest() - element.scrollTop;
    const gesture = observeGestures(element);

    /**
     * Whether it is the reader who has moved up by so many px. The browser does it too, by less and at the end,
     * where there is less to show for a moment, as while the field below is measured. A search in the page, a
     * link and a screen reader move without a gesture, but far.
     */
    const isReader = (movedBy: number) => {
      const view = element.clientHeight;
      const hadToMove = lastTop.current > lowest() && distance() < view;
      const isMeant = movedBy > view / 2 || performance.now() - gesture.last() < gestureLasts;
      return movedBy > 0 && isMeant && !hadToMove;
    };

    /** Looks where the reader has gone since the last look. */
    const look = () => {
      if (distance() < 4) {
        follow(true);
      } else if (isReader(lastTop.current - element.scrollTop)) {
        follow(false);
      } else if (following.current && !empty.current) {
        element.scrollTop = element.scrollHeight;
      }
      lastTop.current = element.scrollTop;
      setAway(distance() > 80);
    };
    // The browser tells of a reader's scrolling before this. What it finds moved now, it has moved itself:
    // there was less to show for a moment, as when the field below grew.
    const observer = new ResizeObserver(() => {
      if (following.current) {
        toEnd();
      }
      lastTop.current = element.scrollTop;
      setAway(distance() > 80);
    });
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
      gesture.end();
    };
  }, [scroller, follow, toEnd, empty]);

  return { isAway: isAway && !isEmpty, toEnd, letGo: () => follow(false) };
}

function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  }, [value]);
  return latest;
}

/** Keeps when a reader last did what may scroll an element, in ms as events count; infinite while they do it. */
function observeGestures(element: HTMLElement) {
  let last = Number.NEGATIVE_INFINITY;
  const listening = new AbortController();
  const { signal } = listening;
  const did = ({ timeStamp }: Event) => {
    last = timeStamp;
  };
  element.addEventListener('wheel', did, { signal, passive: true });
  element.addEventListener('touchmove', did, { signal, passive: true });
  // Also on the scroll bar, whose drag itself is not reported.
  const holds = () => {
    last = Number.POSITIVE_INFINITY;
  };
  const lets = (event: PointerEvent) => {
    if (last === Number.POSITIVE_INFINITY && event.buttons === 0) {
      did(event);
    }
  };
  element.addEventListener('pointerdown', holds, { signal });
  for (const end of ['pointerup', 'pointercancel', 'pointermove'] as const) {
    window.addEventListener(end, lets, { signal, passive: true });
  }
  const onKey = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element && event.target.matches('input, textarea'))) {
      did(event);
    }
  };
  window.addEventListener('keydown', onKey, { signal });
  return { last: () => last, end: () => listening.abort() };
}
