import type { TriggerSummary } from '@knowhow/shared/skills/trigger-tests';
import { useTranslation } from 'react-i18next';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './run-results.module.css';
import { useModels } from './use-models.ts';

interface SummaryTableProps {
  summaries: readonly TriggerSummary[];
  /** The same counts of the previous run. */
  before: readonly TriggerSummary[] | undefined;
}

/** One row per model: accuracy and cost. */
export function SummaryTable({ summaries, before }: SummaryTableProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { nameOf } = useModels();
  const former = (model: string) => before?.find((summary) => summary.model === model);
  return (
    <CardTable<TriggerSummary>
      label={t('triggers.summary')}
      rows={summaries}
      keyOf={({ model }) => model}
      head={{
        label: t('triggers.model'),
        render: ({ model, onlyRanking }) => (
          <span className={classes.model}>
            {nameOf(model)}
            {onlyRanking && <span className={classes.tag}>{t('triggers.rankingTag')}</span>}
          </span>
        ),
      }}
      columns={[
        {
          label: t('triggers.hits'),
          render: ({ model, hits, wanted, hitRate }) => (
            <Rate rate={hitRate} before={former(model)?.hitRate} of={`${hits}/${wanted}`} />
          ),
        },
        {
          label: t('triggers.wrongHits'),
          render: ({ model, wrongHits, unwanted, wrongHitRate }) => (
            <Rate
              rate={wrongHitRate}
              before={former(model)?.wrongHitRate}
              of={`${wrongHits}/${unwanted}`}
              isBadWhenMore
            />
          ),
        },
        { label: t('triggers.failed'), isNumber: true, render: ({ failed }) => number(failed) },
        {
          label: t('triggers.tokens'),
          isNumber: true,
          render: ({ inputTokens, outputTokens, isEstimated }) =>
            t(isEstimated ? 'triggers.aboutInAndOut' : 'triggers.inAndOut', {
              input: number(Math.round(inputTokens)),
              output: number(Math.round(outputTokens)),
            }),
        },
        {
          label: t('triggers.time'),
          isNumber: true,
          render: ({ ms }) => t('triggers.seconds', { seconds: number(Math.round(ms / 10) / 100) }),
        },
      ]}
    />
  );
}

interface RateProps {
  /** From 0 to 1; undefined without data. */
  rate: number | undefined;
  before: number | undefined;
  /** Such as `3/4`. */
  of: string;
  isBadWhenMore?: boolean;
}

function Rate({ rate, before, of, isBadWhenMore = false }: RateProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  if (rate === undefined) {
    return <span>–</span>;
  }
  const change = before === undefined ? 0 : Math.round(100 * rate) - Math.round(100 * before);
  return (
    <span className={classes.rate}>
      <strong>{t('triggers.percent', { value: number(Math.round(100 * rate)) })}</strong> {of}
      {change !== 0 && (
        <span
          className={classes.change}
          data-better={change > 0 !== isBadWhenMore}
          title={t('triggers.change')}
        >
          {t(change > 0 ? 'triggers.more' : 'triggers.less', { value: number(Math.abs(change)) })}
        </span>
      )}
    </span>
  );
}
