import type { SkillReport } from '@knowhow/shared/config/analytics';
import { useTranslation } from 'react-i18next';
import { useReportFormat } from '../../ui/text/use-report-format.ts';
import classes from './headline-figures.module.css';

interface Figure {
  label: string;
  value: string;
  note: string;
}

/** The totals. */
export function HeadlineFigures({ report: { totals } }: { report: SkillReport }) {
  const { t } = useTranslation();
  const { number, compact, share, costs } = useReportFormat();
  const { activations, costs: paid } = totals;
  const started = Object.values(activations).reduce((sum, count) => sum + count, 0);
  const figures: Figure[] = [
    {
      label: t('analytics.figures.withSkill'),
      value: share(totals.conversationsWithSkill, totals.conversationsOffered) || number(0),
      note: t('analytics.figures.ofConversations', {
        part: number(totals.conversationsWithSkill),
        all: number(totals.conversationsOffered),
      }),
    },
    {
      label: t('analytics.figures.answers'),
      value: number(totals.answers),
      note: t('analytics.figures.answersWithSkill', { part: number(totals.answersWithSkill) }),
    },
    {
      label: t('analytics.figures.activations'),
      value: number(started),
      note: t('analytics.figures.how', {
        model: number(activations.model + activations.router),
        people: number(activations.slash + activations.api),
        app: number(activations.app),
      }),
    },
    {
      label: t('analytics.figures.refused'),
      value: number(totals.refused + totals.limited),
      note: t('analytics.figures.why', {
        refused: number(totals.refused),
        limited: number(totals.limited),
      }),
    },
    {
      label: t('analytics.figures.foundNothing'),
      value: number(totals.foundNothing),
      note: t('analytics.figures.searched', { all: number(totals.searched) }),
    },
    {
      label: t('analytics.figures.tokens'),
      value: compact(totals.inputTokens + totals.outputTokens),
      note: costs(paid) || t('analytics.figures.cached', { part: compact(totals.cachedTokens) }),
    },
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={classes.value}>{value}</dd>
          <dd>{note}</dd>
        </div>
      ))}
    </dl>
  );
}
