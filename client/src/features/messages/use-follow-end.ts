import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/**
 * Keeps a scrolling element at its end while its content grows, as long as the reader is there.
 * Scrolling up lets go; scrolling back to the end, or `toEnd`, takes hold again.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const following = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element) {
      following.current = true;
      element.scrollTop = element.scrollHeight;
      // So that a scroll upwards which follows at once is not taken for part of this one.
      lastTop.current = element.scrollTop;
    }
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) {
      return;
    }
    lastTop.current = element.scrollTop;
    const distance = () => element.scrollHeight - element.clientHeight - element.scrollTop;

    /** Looks where the reader has gone since the last look. */
    const look = () => {
      if (distance() < 4) {
        following.current = true;
      } else if (element.scrollTop < lastTop.current) {
        following.current = false;
      }
      lastTop.current = element.scrollTop;
      setAway(distance() > 80);
    };
    const observer = new ResizeObserver(() => {
      look();
      if (following.current) {
        toEnd();
        setAway(false);
      }
    });
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, toEnd]);

  return { isAway, toEnd };
}
