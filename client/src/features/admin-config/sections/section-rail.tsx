import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SectionEntry } from './section-list.ts';
import classes from './section-rail.module.css';
import { useActiveSection } from './use-active-section.ts';

/** Links to the form sections with their summaries; the current one is marked. */
export function SectionRail({ entries }: { entries: readonly SectionEntry[] }) {
  const { t } = useTranslation();
  const { active, jump } = useActiveSection(entries);
  const rail = useRef<HTMLElement>(null);

  // As a bar, it scrolls along with the form; the page does not move.
  useEffect(() => {
    const marked = rail.current?.querySelector<HTMLElement>(`[data-section="${active}"]`);
    rail.current?.scrollTo?.({ left: (marked?.offsetLeft ?? 0) - 40 });
  }, [active]);

  return (
    <nav ref={rail} className={classes.rail} aria-label={t('adminConfig.sections')}>
      <ul>
        {entries.map(({ id, title, summary, errors }) => (
          <li key={id}>
            <button
              type="button"
              data-section={id}
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
