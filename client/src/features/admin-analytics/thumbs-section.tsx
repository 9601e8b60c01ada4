import type { SkillReport, Thumbs } from '@knowhow/shared/config/analytics';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/layout/section.tsx';
import classes from './thumbs-section.module.css';
import { useReportFormat } from './use-report-format.ts';

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
