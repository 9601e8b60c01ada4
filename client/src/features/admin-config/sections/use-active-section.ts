import { useEffect, useRef, useState } from 'react';
import type { SectionEntry } from './section-list.ts';

/** A section becomes current at this distance from the top of the window, in px. */
const readingLine = 180;

/** The current section, and a function to scroll to another. */
export function useActiveSection(entries: readonly SectionEntry[]) {
  const [active, setActive] = useState<string>();
  const jumped = useRef<string>(undefined);

  useEffect(() => {
    let frame = 0;
    function look() {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        // A section near the end never reaches the threshold.
        setActive(jumped.current ?? findActiveSection(entries));
        jumped.current = undefined;
      });
    }
    look();
    // The scroll container is inside the page, and scroll events do not bubble.
    document.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', look, { capture: true });
    };
  }, [entries]);

  function jump(id: string) {
    jumped.current = id;
    setActive(id);
    const heading = document.getElementById(id);
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: 'start' });
  }

  return { active: active ?? entries[0]?.id, jump };
}

function findActiveSection(entries: readonly SectionEntry[]): string | undefined {
  const passed = entries.findLast(({ id }) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top;
    return top !== undefined && top < readingLine;
  });
  return (passed ?? entries[0])?.id;
}
