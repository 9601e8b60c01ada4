import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/**
 * Keeps a scrolling element at its end while its content grows, as long as the reader is there.
 * Scrolling up lets go; scrolling back to the end, or `toEnd`, takes hold again.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const following = useRef(true);
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
    if (element) {
      follow(true);
      element.scrollTop = element.scrollHeight;
      // So that a scroll upwards which follows at once is not taken for part of this one.
      lastTop.current = element.scrollTop;
    }
  }, [scroller, follow]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) {
      return;
    }
    lastTop.current = element.scrollTop;
    const lowest = () => element.scrollHeight - element.clientHeight;
    const distance = () => lowest() - element.scrollTop;

    /** Looks where the reader has gone since the last look. */
    const look = () => {
      if (distance() < 4) {
        follow(true);
      } else if (element.scrollTop < lastTop.current && lastTop.current <= lowest()) {
        // Where there is less than before, it is not the reader who has moved up.
        follow(false);
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
    };
  }, [scroller, follow, toEnd]);

  return { isAway, toEnd };
}
