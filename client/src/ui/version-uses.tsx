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
  /** Numbers of versions to compare, which are shown first, also without uses. */
  roles?: VersionRoles;
}

type VersionRoles = Partial<Record<(typeof roleNames)[number], number>>;

const roleNames = ['published', 'previous', 'preview'] as const;

const roleTexts = {
  published: 'analytics.versions.published',
  previous: 'analytics.versions.previous',
  preview: 'analytics.versions.preview',
} as const;

/** Usage figures of each version of a skill: first those with a role, then the newest. */
export function VersionUses({ skill, asked = {}, roles = {} }: VersionUsesProps) {
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
          rows={withRoles(report.data.versions, roles)}
          keyOf={({ version = 0 }) => String(version)}
          head={{
            label: t('analytics.versions.version'),
            render: ({ version }) =>
              version === undefined
                ? t('analytics.versions.unknown')
                : [
                    t('analytics.versions.number', { number: version }),
                    ...roleNames
                      .filter((role) => roles[role] === version)
                      .map((role) => t(roleTexts[role])),
                  ].join(' · '),
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

/** The versions with a role first, with zeros for one that was not used. */
function withRoles(uses: readonly VersionUse[], roles: VersionRoles): VersionUse[] {
  const wanted = new Set(roleNames.flatMap((role) => roles[role] ?? []));
  const first = [...wanted].map(
    (version) => uses.find((use) => use.version === version) ?? { ...unused, version },
  );
  return [...first, ...uses.filter(({ version }) => version === undefined || !wanted.has(version))];
}

const unused = {
  ...{ answers: 0, activations: 0, refused: 0, limited: 0, costs: [] },
  thumbs: { up: 0, down: 0 },
} satisfies VersionUse;
