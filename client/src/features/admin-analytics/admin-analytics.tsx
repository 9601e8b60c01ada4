import {
  analyticsApi,
  type NamedUse,
  type ReportQuery,
  type SkillReport,
  type SkillUse,
  type Use,
} from '@knowhow/shared/config/analytics';
import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../api/query.ts';
import { buildUrl } from '../../api/request.ts';
import { IdSelect } from '../../ui/id-select.tsx';
import { CardTable, numbers } from '../../ui/layout/card-table.tsx';
import { DayRange } from '../../ui/layout/day-range.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useReportFormat } from '../../ui/text/use-report-format.ts';
import { useConfigItems } from '../../ui/use-config-items.ts';
import ownClasses from './admin-analytics.module.css';
import { ReasonsSection, ThumbsSection } from './feedback-sections.tsx';
import { HeadlineFigures } from './headline-figures.tsx';
import classes from './report.module.css';
import {
  getPeriod,
  periods,
  type ReportFilters,
  toReportQuery,
  useReportFilters,
} from './report-filters.ts';
import { NeverUsedSection, SkillUseSection } from './skill-use-section.tsx';

const WeekChart = lazyPart(async () => (await import('./report-charts.tsx')).WeekChart);

/** Conversations with skills over time. */
function WeekSection({ weeks }: { weeks: SkillReport['weeks'] }) {
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
      <SkillUseSection skills={skills} asked={asked} />
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

const TopSkillsChart = lazyPart(async () => (await import('./report-charts.tsx')).TopSkillsChart);

const shown = 10;

/** The most used skills; the table of all skills has the same figures. */
function TopSkillsSection({ skills }: { skills: SkillUse[] }) {
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

interface BreakdownSectionProps {
  title: string;
  /** Column heading for one item. */
  one: string;
  about?: string;
  uses: NamedUse[];
  /** Base path of their pages. */
  kind: 'apps' | 'groups' | 'models';
}

/** The figures broken down by app, group or model. */
function BreakdownSection({ title, one, about, uses, kind }: BreakdownSectionProps) {
  const { t } = useTranslation();
  const { number, compact, share } = useReportFormat();
  return (
    <Section title={title} text={about}>
      <CardTable
        label={title}
        rows={uses}
        keyOf={({ id }) => id}
        head={{
          label: one,
          render: ({ id }) => <Link to={`/admin/${kind}/${encodeURIComponent(id)}`}>{id}</Link>,
        }}
        columns={[
          numbers(t('analytics.conversations'), (use: Use) => number(use.conversations)),
          numbers(t('analytics.withSkill'), (use: Use) =>
            share(use.conversationsWithSkill, use.conversations),
          ),
          numbers(t('analytics.tokens'), (use: Use) => compact(use.inputTokens + use.outputTokens)),
        ]}
      />
    </Section>
  );
}

interface ReportFilterBarProps {
  filters: ReportFilters;
  onChange: (change: Partial<ReportFilters>) => void;
  /** URL of the same figures as CSV. */
  tableAddress: string;
}

const periodNames = {
  month: 'analytics.period.month',
  quarter: 'analytics.period.quarter',
  year: 'analytics.period.year',
  own: 'analytics.period.own',
} as const;

/** Filters: period, app, group, model. */
function ReportFilterBar({ filters, onChange, tableAddress }: ReportFilterBarProps) {
  const { t } = useTranslation();
  const apps = useConfigItems('apps');
  const groups = useConfigItems('groups');
  const models = useConfigItems('models');
  return (
    <div className={ownClasses.filters}>
      <NativeSelect
        aria-label={t('analytics.period.label')}
        value={filters.period}
        data={periods.map((value) => ({ value, label: t(periodNames[value]) }))}
        onChange={({ currentTarget: { value } }) => onChange(getPeriod(value, filters, new Date()))}
      />
      {filters.period === 'own' && (
        <DayRange from={filters.from} to={filters.to} onChange={onChange} />
      )}
      <IdSelect
        label={t('analytics.app')}
        all={t('analytics.allApps')}
        items={apps.data}
        value={filters.app}
        onChange={(app) => onChange({ app })}
      />
      <IdSelect
        label={t('analytics.group')}
        all={t('analytics.allGroups')}
        items={groups.data}
        value={filters.group}
        onChange={(group) => onChange({ group })}
      />
      <IdSelect
        label={t('analytics.model')}
        all={t('analytics.allModels')}
        items={models.data}
        value={filters.model}
        onChange={(model) => onChange({ model })}
      />
      <Button
        className={ownClasses.download}
        component="a"
        href={tableAddress}
        download
        variant="default"
        leftSection={<IconDownload size={17} aria-hidden />}
      >
        {t('analytics.csv')}
      </Button>
    </div>
  );
}
