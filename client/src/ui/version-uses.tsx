import { analyticsApi, type ReportQuery, type VersionUse } from '@knowhow/shared/config/analytics';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../api/query.ts';
import { CardTable, numbers } from './layout/card-table.tsx';
import { LoadError } from './loading/load-error.tsx';
import { useReportFormat } from './text/use-report-format.ts';

interface VersionUsesProps {
  /** Name of the skill. */
  skill: string;
  /** Filters of the report; by default, the last twelve weeks. */
  asked?: ReportQuery;
}

/** Usage figures of each version of a skill, newest first. */
export function VersionUses({ skill, asked = {} }: VersionUsesProps) {
  const { t } = useTranslation();
  const { number, costs } = useReportFormat();
  const report = useQuery(query(analyticsApi.versions, { params: { skill }, query: asked }));
  const thumbs = ({ thumbs: { up, down } }: VersionUse) =>
    up + down === 0 ? '' : t('analytics.skills.upDown', { up: number(up), down: number(down) });
  return (
    <>
      <LoadError queries={[report]} />
      {report.isPending && <Skeleton height={120} aria-label={t('state.loading')} />}
      {report.data && report.data.versions.length === 0 && (
        <p>{t(report.data.days === 0 ? 'analytics.offAbout' : 'analytics.versions.none')}</p>
      )}
      {report.data && report.data.versions.length > 0 && (
        <CardTable
          label={t('analytics.versions.title')}
          rows={report.data.versions}
          keyOf={({ version = 0 }) => String(version)}
          head={{
            label: t('analytics.versions.version'),
            render: ({ version }) =>
              version === undefined
                ? t('analytics.versions.unknown')
                : t('analytics.versions.number', { number: version }),
          }}
          columns={[
            numbers(t('analytics.answers'), (use: VersionUse) => number(use.answers)),
            numbers(t('analytics.skills.activations'), (use: VersionUse) =>
              number(use.activations),
            ),
            numbers(t('analytics.skills.refused'), (use: VersionUse) => number(use.refused)),
            numbers(t('analytics.skills.limited'), (use: VersionUse) => number(use.limited)),
            numbers(t('analytics.cost'), (use: VersionUse) => costs(use.costs)),
            numbers(t('analytics.skills.thumbs'), thumbs),
          ]}
        />
      )}
    </>
  );
}
