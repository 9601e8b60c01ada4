import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/**
 * Keeps a scrolling element at its end while its content grows, as long as the reader is there.
 * Scrolling up lets go; scrolling back to the end, or `toEnd`, takes hold again.
 */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const following = useRef(true);
  const [isAway, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element) {
      following.current = true;
      element.scrollTop = element.scrollHeight;
    }
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) {
      return;
    }
    let lastTop = element.scrollTop;
    const distance = () => element.scrollHeight - element.clientHeight - element.scrollTop;

    function onScroll(this: HTMLElement) {
      if (distance() < 4) {
        following.current = true;
      } else if (this.scrollTop < lastTop) {
        following.current = false;
      }
      lastTop = this.scrollTop;
      setAway(distance() > 80);
    }

    const observer = new ResizeObserver(() => {
      if (following.current) {
        element.scrollTop = element.scrollHeight;
      }
      setAway(distance() > 80);
    });
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller]);

  return { isAway, toEnd };
}
