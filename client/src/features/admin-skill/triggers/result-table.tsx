import { describeFailure, type TriggerResult } from '@knowhow/shared/skills/trigger-tests';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { type ComparedResult, isRight, type PromptRow } from './compare-runs.ts';
import classes from './run-results.module.css';
import { useModels } from './use-models.ts';

interface ResultTableProps {
  /** Name of the skill. */
  skill: string;
  models: readonly string[];
  rows: readonly PromptRow[];
}

/** One row per prompt with the result of each model. */
export function ResultTable({ skill, models, rows }: ResultTableProps) {
  const { t } = useTranslation();
  const { nameOf } = useModels();
  return (
    <ScrollingGroup className={classes.scroller} label={t('triggers.results')}>
      <CardTable<PromptRow>
        label={t('triggers.results')}
        rows={rows}
        keyOf={({ number }) => String(number)}
        head={{
          label: t('triggers.promptHead'),
          render: ({ prompt }) => <span className={classes.prompt}>{prompt.text}</span>,
        }}
        columns={[
          {
            label: t('triggers.expected'),
            render: ({ prompt }) => (
              <span className={classes.expected}>
                {t(prompt.expect ? 'triggers.should' : 'triggers.shouldNot')}
              </span>
            ),
          },
          ...models.map((model) => ({
            label: nameOf(model),
            render: ({ byModel }: PromptRow) => {
              const result = byModel.get(model);
              return result && <Outcome skill={skill} result={result} />;
            },
          })),
        ]}
      />
    </ScrollingGroup>
  );
}

const words = {
  hit: 'triggers.outcomes.hit',
  miss: 'triggers.outcomes.miss',
  'wrong-hit': 'triggers.outcomes.wrongHit',
  'left-alone': 'triggers.outcomes.leftAlone',
  failed: 'triggers.outcomes.failed',
} as const;

function Outcome({ skill, result }: { skill: string; result: ComparedResult }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { outcome, before, activated, rank, error, searched, via } = result;
  const others = activated.filter((name) => name !== skill);
  return (
    <span className={classes.outcome} data-outcome={getTone(outcome)}>
      <span className={classes.verdict}>
        <OutcomeIcon outcome={outcome} />
        {t(words[outcome])}
      </span>
      {before !== undefined && before !== outcome && (
        <span className={classes.change} data-better={isRight(outcome)}>
          {t('triggers.was', { outcome: t(words[before]) })}
        </span>
      )}
      <span className={classes.details}>
        {others.length > 0 && (
          <span>
            {t(activated.includes(skill) ? 'triggers.besides' : 'triggers.instead')}{' '}
            <code>{others.join(', ')}</code>
          </span>
        )}
        {error && <span>{describeFailure(error)}</span>}
        {via === 'router' && <span>{t('triggers.byRouter')}</span>}
        {searched && <span>{t('triggers.searched')}</span>}
        {rank !== undefined && <span>{t('triggers.rank', { rank: number(rank) })}</span>}
      </span>
    </span>
  );
}

function OutcomeIcon({ outcome }: Pick<TriggerResult, 'outcome'>) {
  if (outcome === 'failed') {
    return <IconAlertTriangle size={16} aria-hidden />;
  }
  return isRight(outcome) ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />;
}

function getTone(outcome: TriggerResult['outcome']): string {
  return isRight(outcome) ? 'right' : outcome === 'failed' ? 'failed' : 'wrong';
}
