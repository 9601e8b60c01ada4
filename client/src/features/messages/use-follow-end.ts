import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Maximum delay between a gesture and its first scroll event, in ms. */
const gestureLasts = 500;

/**
 * Keeps a scroll container at its end while its content grows. Scrolling up, or `letGo`, releases it; scrolling
 * back to the end, or `toEnd`, re-attaches it.
 *
 * @param isEmpty if true, it starts at the top and stays there
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>, isEmpty: boolean) {
  const following = useRef(true);
  const empty = useLatest(isEmpty);
  const follow = useCallback(
    (isFollowing: boolean) => {
      following.current = isFollowing;
      // Disables scroll anchoring, which would look like the user scrolling up.
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
      // So that an immediate scroll upwards is not mistaken for a part of this one.
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
     * Whether the user scrolled up by this many px. The browser does so, too, but by less and at the end, when
     * the content shrinks briefly, as while the field below is measured. Page search, links and screen readers
     * scroll without a gesture, but far.
     */
    const isReader = (movedBy: number) => {
      const view = element.clientHeight;
      const hadToMove = lastTop.current > lowest() && distance() < view;
      const isMeant = movedBy > view / 2 || performance.now() - gesture.last() < gestureLasts;
      return movedBy > 0 && isMeant && !hadToMove;
    };

    /** Detects where the user has scrolled since the last check. */
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
    // Scroll events of the user arrive before this. Any other movement comes from the browser: the content shrank
    // briefly, for example when the field below grew.
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

/** Timestamp of the user's last scroll gesture, in ms of event time; infinite during one. */
function observeGestures(element: HTMLElement) {
  let last = Number.NEGATIVE_INFINITY;
  const listening = new AbortController();
  const { signal } = listening;
  const did = ({ timeStamp }: Event) => {
    last = timeStamp;
  };
  element.addEventListener('wheel', did, { signal, passive: true });
  element.addEventListener('touchmove', did, { signal, passive: true });
  // Also on the scroll bar, whose drag is not reported by itself.
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
