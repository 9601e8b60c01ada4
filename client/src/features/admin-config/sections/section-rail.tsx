import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentInView } from '../../../ui/layout/use-current-in-view.ts';
import type { SectionEntry } from './section-list.ts';
import classes from './section-rail.module.css';

/** Links to the form sections with their summaries; the current one is marked. */
export function SectionRail({ entries }: { entries: readonly SectionEntry[] }) {
  const { t } = useTranslation();
  const { active, jump } = useActiveSection(entries);
  const rail = useRef<HTMLElement>(null);

  // As a bar, it scrolls along with the form.
  useCurrentInView(rail, active);

  return (
    <nav ref={rail} className={classes.rail} aria-label={t('adminConfig.sections')}>
      <ul>
        {entries.map(({ id, title, summary, errors }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === active ? 'location' : undefined}
              onClick={() => jump(id)}
            >
              <span className={classes.title}>{title}</span>
              {errors > 0 && (
                <span className={classes.errors}>
                  <span className={classes.count}>{errors}</span>{' '}
                  <span className={classes.word}>
                    {t('adminConfig.holds.errors', { count: errors })}
                  </span>
                </span>
              )}
              {summary && <span className={classes.summary}>{summary}</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A section becomes current at this distance from the top of the window, in px. */
const readingLine = 180;

/** The current section, and a function to scroll to another. */
function useActiveSection(entries: readonly SectionEntry[]) {
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
