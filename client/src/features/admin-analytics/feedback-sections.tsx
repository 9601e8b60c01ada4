import {
  analyticsApi,
  type Reason,
  type ReportQuery,
  type SkillReport,
  type Thumbs,
} from '@knowhow/shared/config/analytics';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { Section } from '../../ui/layout/section.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import { useReportFormat } from '../../ui/text/use-report-format.ts';
import classes from './feedback-sections.module.css';

/** Ratings of answers with and without a skill. */
export function ThumbsSection({ thumbs }: Pick<SkillReport, 'thumbs'>) {
  const { t } = useTranslation();
  return (
    <Section title={t('analytics.thumbs.title')} text={t('analytics.thumbs.about')}>
      <ThumbsBar label={t('analytics.thumbs.with')} thumbs={thumbs.withSkill} />
      <ThumbsBar label={t('analytics.thumbs.without')} thumbs={thumbs.withoutSkill} />
    </Section>
  );
}

function ThumbsBar({ label, thumbs }: { label: string; thumbs: Thumbs }) {
  const { t } = useTranslation();
  const { number, approval } = useReportFormat();
  const { up, down } = thumbs;
  return (
    <div className={classes.row}>
      <p>
        <strong>{label}</strong>{' '}
        {up + down === 0
          ? t('analytics.thumbs.none')
          : t('analytics.thumbs.counts', {
              up: number(up),
              down: number(down),
              share: approval(thumbs),
            })}
      </p>
      {up + down > 0 && (
        <svg className={classes.bar} aria-hidden>
          <rect width="100%" height="100%" className={classes.down} />
          <rect width={`${(100 * up) / (up + down)}%`} height="100%" className={classes.up} />
        </svg>
      )}
    </div>
  );
}

const firstShown = 10;

/** Comments on ratings. */
export function ReasonsSection({ asked }: { asked: ReportQuery }) {
  const { t } = useTranslation();
  const { number } = useReportFormat();
  const [isWhole, setWhole] = useState(false);
  const { data, error } = useQuery({
    ...query(analyticsApi.reasons, { query: asked }),
    placeholderData: keepPreviousData,
  });
  const { items = [], total = 0 } = data ?? {};
  const shown = isWhole ? items : items.slice(0, firstShown);
  return (
    <Section title={t('analytics.reasons.title')} text={t('analytics.reasons.about')}>
      {error && <ErrorNote error={error} />}
      {data && total === 0 && <p className={classes.facts}>{t('analytics.reasons.none')}</p>}
      <ul className={classes.list}>
        {shown.map((reason, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no id, and their order is fixed
          <ReasonItem key={at} reason={reason} />
        ))}
      </ul>
      <MoreButton
        list={{
          hasNextPage: shown.length < items.length,
          isFetchingNextPage: false,
          fetchNextPage: () => setWhole(true),
        }}
      />
      {shown.length === items.length && items.length < total && (
        <p className={classes.facts}>
          {t('analytics.reasons.cut', { shown: number(items.length), total: number(total) })}
        </p>
      )}
    </Section>
  );
}

function ReasonItem({ reason: { at, value, reason, app, skills } }: { reason: Reason }) {
  const { t } = useTranslation();
  const { day } = useReportFormat();
  const Icon = value === 'up' ? IconThumbUp : IconThumbDown;
  return (
    <li className={classes.reason}>
      <Icon size={16} role="img" aria-label={t(value === 'up' ? 'feedback.up' : 'feedback.down')} />
      <div>
        <p>
          <PlainText text={reason} />
        </p>
        <p className={classes.facts}>{[day(at), app, ...skills].join(' · ')}</p>
      </div>
    </li>
  );
}
