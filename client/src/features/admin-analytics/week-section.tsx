import type { SkillReport, Use } from '@knowhow/shared/config/analytics';
import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { CardTable, numbers } from '../../ui/layout/card-table.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import classes from './report.module.css';
import { useReportFormat } from './use-report-format.ts';

const WeekChart = lazyPart(async () => (await import('./report-charts.tsx')).WeekChart);

/** Conversations with skills over time. */
export function WeekSection({ weeks }: { weeks: SkillReport['weeks'] }) {
  const { t } = useTranslation();
  const { number, day, share } = useReportFormat();
  return (
    <Section title={t('analytics.weeks.title')} text={t('analytics.weeks.about')}>
      <div className={classes.chart} aria-hidden>
        <Suspense fallback={<Skeleton height={260} />}>
          <WeekChart weeks={weeks} />
        </Suspense>
      </div>
      <Expander summary={t('analytics.asTable')}>
        <CardTable
          label={t('analytics.weeks.title')}
          rows={weeks}
          keyOf={({ week }) => week}
          head={{ label: t('analytics.weeks.from'), render: ({ week }) => day(week) }}
          columns={[
            numbers(t('analytics.conversations'), (use: Use) => number(use.conversations)),
            numbers(t('analytics.withSkill'), (use: Use) => number(use.conversationsWithSkill)),
            numbers(t('analytics.share'), (use: Use) =>
              share(use.conversationsWithSkill, use.conversations),
            ),
            numbers(t('analytics.answers'), (use: Use) => number(use.answers)),
          ]}
        />
      </Expander>
    </Section>
  );
}
