import {
  createContext,
  type RefObject,
  startTransition,
  useContext,
  useEffect,
  useState,
} from 'react';

type NearWatch = (element: Element, onNear: () => void) => () => void;

/** Watches nothing until a thread gives its own. */
export const NearWatchContext = createContext<NearWatch>(() => () => undefined);

/**
 * One observer for all elements in a scrolling one. Each is told of once, when it is in view or within two
 * views of that; what it gives ends the watch before.
 */
export function createNearWatch(scroller: RefObject<Element | null>): NearWatch {
  const listeners = new WeakMap<Element, () => void>();
  let observer: IntersectionObserver | undefined;
  return (element, onNear) => {
    observer ??= new IntersectionObserver(
      (entries, watching) => {
        for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
          watching.unobserve(target);
          listeners.get(target)?.();
        }
      },
      { root: scroller.current, rootMargin: '200% 0px' },
    );
    listeners.set(element, onNear);
    observer.observe(element);
    return () => observer?.unobserve(element);
  };
}

/** Whether an element has been near to what is in view, or is `whole` wherever it is. */
export function useIsNear(element: RefObject<Element | null>, whole: boolean): boolean {
  const watch = useContext(NearWatchContext);
  const [isNear, setNear] = useState(whole);
  const isShown = isNear || whole;
  useEffect(() => {
    if (!isShown && element.current) {
      return watch(element.current, () => startTransition(() => setNear(true)));
    }
  }, [isShown, element, watch]);
  return isShown;
}
