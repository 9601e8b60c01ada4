import type { SkillUse } from '@knowhow/shared/config/analytics';
import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/layout/section.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import classes from './report.module.css';

const TopSkillsChart = lazyPart(async () => (await import('./report-charts.tsx')).TopSkillsChart);

const shown = 10;

/** The most used skills; the table of all skills has the same figures. */
export function TopSkillsSection({ skills }: { skills: SkillUse[] }) {
  const { t } = useTranslation();
  const top = skills.filter(({ answers }) => answers > 0).slice(0, shown);
  return (
    <Section title={t('analytics.top.title')} text={t('analytics.top.about')}>
      {top.length > 0 && (
        <div className={classes.chart} aria-hidden>
          <Suspense fallback={<Skeleton height={200} />}>
            <TopSkillsChart skills={top} />
          </Suspense>
        </div>
      )}
      {top.length === 0 && <p>{t('analytics.top.none')}</p>}
    </Section>
  );
}
