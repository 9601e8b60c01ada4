import { analyticsApi, type ReportQuery, type SkillReport } from '@knowhow/shared/config/analytics';
import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { buildUrl } from '../../api/request.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { BreakdownSection } from './breakdown-section.tsx';
import { HeadlineFigures } from './headline-figures.tsx';
import { NeverUsedSection } from './never-used-section.tsx';
import { ReasonsSection } from './reasons-section.tsx';
import classes from './report.module.css';
import { ReportFilterBar } from './report-filter-bar.tsx';
import { toReportQuery, useReportFilters } from './report-filters.ts';
import { SkillUseSection } from './skill-use-section.tsx';
import { ThumbsSection } from './thumbs-section.tsx';
import { TopSkillsSection } from './top-skills-section.tsx';
import { useReportFormat } from './use-report-format.ts';
import { WeekSection } from './week-section.tsx';

/** Skill usage figures. */
export function AdminAnalytics() {
  const { t } = useTranslation();
  const { filters, change } = useReportFilters();
  const [now] = useState(() => new Date());
  const asked = { query: toReportQuery(filters, now) };
  const report = useQuery({
    ...query(analyticsApi.skills, asked),
    placeholderData: keepPreviousData,
  });
  return (
    <PageFrame title={t('adminPages.analytics')} description={t('analytics.about')}>
      <ReportFilterBar
        filters={filters}
        onChange={change}
        tableAddress={buildUrl(analyticsApi.skillsCsv, asked)}
      />
      {report.error && <ErrorNote error={report.error} onRetry={() => report.refetch()} />}
      {report.isPending && <Skeleton height={360} />}
      {report.data && !report.error && (
        <div className={classes.report} aria-busy={report.isPlaceholderData}>
          <Report report={report.data} asked={asked.query} />
        </div>
      )}
    </PageFrame>
  );
}

function Report({ report, asked }: { report: SkillReport; asked: ReportQuery }) {
  const { t } = useTranslation();
  const { day } = useReportFormat();
  const { days, since, totals, weeks, skills, thumbs, neverUsed } = report;
  if (days === 0) {
    return <EmptyState title={t('analytics.off')} text={t('analytics.offAbout')} />;
  }
  if (since === undefined) {
    return <EmptyState title={t('analytics.empty')} text={t('analytics.emptyAbout')} />;
  }
  if (totals.answers === 0) {
    return (
      <>
        <EmptyState
          title={t('analytics.nothing')}
          text={t('analytics.nothingAbout', { since: day(since) })}
        />
        <NeverUsedSection neverUsed={neverUsed} />
      </>
    );
  }
  return (
    <>
      <HeadlineFigures report={report} />
      <div className={classes.pair}>
        <WeekSection weeks={weeks} />
        <TopSkillsSection skills={skills} />
      </div>
      <ThumbsSection thumbs={thumbs} />
      <ReasonsSection asked={asked} />
      <SkillUseSection skills={skills} />
      <div className={classes.breakdowns}>
        <BreakdownSection
          {...{ title: t('analytics.apps'), one: t('analytics.app') }}
          uses={report.apps}
          kind="apps"
        />
        <BreakdownSection
          {...{ title: t('analytics.groups'), one: t('analytics.group') }}
          about={t('analytics.groupsAbout')}
          uses={report.groups}
          kind="groups"
        />
        <BreakdownSection
          {...{ title: t('analytics.models'), one: t('analytics.model') }}
          uses={report.models}
          kind="models"
        />
      </div>
      <NeverUsedSection neverUsed={neverUsed} />
      <p className={classes.about}>{t('analytics.since', { since: day(since), days })}</p>
    </>
  );
}
