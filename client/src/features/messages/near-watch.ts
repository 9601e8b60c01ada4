import {
  createContext,
  type RefObject,
  startTransition,
  useContext,
  useEffect,
  useState,
} from 'react';

type NearWatch = (element: Element, onNear: () => void) => () => void;

/** The default, until a thread provides its own. */
export const NearWatchContext = createContext<NearWatch>(() => () => undefined);

/**
 * One IntersectionObserver for all elements in a scroll container. Each element is reported once, when it is
 * within two screens of the viewport. Returns a function that stops observing.
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

/** Whether an element has been near the viewport, or is always `whole`. */
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
