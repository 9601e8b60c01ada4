import { type RefObject, useEffect } from 'react';

/** Space that shows a part of the neighbours, in px. */
const margin = 40;

/**
 * Scrolls a bar of links sideways, so that the current one (with `aria-current`) is visible. The page does not move.
 *
 * @param current changes with the current link
 */
export function useCurrentInView(bar: RefObject<HTMLElement | null>, current: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link is found in the document
  useEffect(() => {
    const link = bar.current?.querySelector('[aria-current]');
    if (!bar.current || !link) {
      return;
    }
    const [outer, inner] = [bar.current.getBoundingClientRect(), link.getBoundingClientRect()];
    if (inner.left < outer.left) {
      bar.current.scrollLeft += inner.left - outer.left - margin;
    } else if (inner.right > outer.right) {
      bar.current.scrollLeft += inner.right - outer.right + margin;
    }
  }, [bar, current]);
}
