import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import {
  describeFailure,
  isRight,
  type TriggerRunHead,
  type TriggerSummary,
  triggerTestsApi,
} from '@knowhow/shared/skills/trigger-tests';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { TriggerVerdict, triggerOutcomeTexts } from '../../../ui/triggers/trigger-verdict.tsx';
import { Rows } from '../rows.tsx';
import { type ComparedResult, compareRuns, isAllTheSame, type PromptRow } from './compare-runs.ts';
import classes from './run-results.module.css';
import { useModels } from './use-models.ts';
import type { RunningTests } from './use-run.ts';

interface RunResultsProps {
  skill: AdminSkillDetail;
  /** The current run. */
  running: RunningTests | undefined;
}

/** Results of the current or a recent run, compared with the previous one. */
export function RunResults({ skill, running }: RunResultsProps) {
  const { t } = useTranslation();
  const runs = useQuery(
    query(triggerTestsApi.runs, { params: { name: skill.name }, query: { limit: 50 } }),
  );
  const [chosen, setChosen] = useState<{ id: string; newest: string | undefined }>();
  const heads = runs.data?.items ?? [];
  const newest = heads[0]?.id;
  const at = Math.max(
    0,
    // Selects a run that has just ended.
    heads.findIndex(({ id }) => id === chosen?.id && newest === chosen.newest),
  );
  const head = heads[at];
  return (
    <Section title={t('triggers.results')}>
      <LoadError queries={[runs]} />
      {runs.isPending && !running && <Rows />}
      {running && running.results.length > 0 && (
        <ResultTable
          skill={skill.name}
          models={running.models}
          rows={compareRuns(running, undefined)}
        />
      )}
      {!running && runs.data && !head && (
        <EmptyState title={t('triggers.noRuns')} text={t('triggers.noRunsText')} />
      )}
      {!running && head && (
        <>
          {heads.length > 1 && (
            <ChooseRun heads={heads} value={head.id} onChange={(id) => setChosen({ id, newest })} />
          )}
          <StoredRun key={head.id} skill={skill.name} head={head} before={heads[at + 1]} />
        </>
      )}
    </Section>
  );
}

interface ChooseRunProps {
  heads: readonly TriggerRunHead[];
  value: string;
  onChange: (id: string) => void;
}

function ChooseRun({ heads, value, onChange }: ChooseRunProps) {
  const { t } = useTranslation();
  const { exactDate } = useFormat();
  const { nameOf } = useModels();
  return (
    <NativeSelect
      className={classes.choose}
      label={t('triggers.chooseRun')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={heads.map(({ id, at, by, version, isScheduled, summaries }) => ({
        value: id,
        label: [
          exactDate(at),
          summaries.map(({ model }) => nameOf(model)).join(', '),
          isScheduled ? t('triggers.scheduled') : by,
          ...(version === undefined ? [] : [t('triggers.shortVersion', { version })]),
        ].join(' · '),
      }))}
    />
  );
}

interface StoredRunProps {
  skill: string;
  head: TriggerRunHead;
  before: TriggerRunHead | undefined;
}

function StoredRun({ skill, head, before }: StoredRunProps) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const runOf = (run: string) => query(triggerTestsApi.get, { params: { name: skill, run } });
  const run = useQuery(runOf(head.id));
  const former = useQuery({ ...runOf(before?.id ?? ''), enabled: before !== undefined });
  const { summaries, description, app, ended, version } = head;
  const at = date(head.at);
  const rows = run.data && compareRuns(run.data, former.data);
  return (
    <div className={classes.run}>
      <p className={classes.facts}>
        {head.isScheduled
          ? t('triggers.ranScheduled', { at })
          : t('triggers.ran', { at, by: head.by })}{' '}
        {version !== undefined && t('triggers.inVersion', { version })}{' '}
        {app !== undefined && t('triggers.inApp', { app })}{' '}
        {ended === 'stopped' && t('triggers.wasStopped')}{' '}
        {before ? t('triggers.comparedWith', { at: date(before.at) }) : t('triggers.isFirst')}{' '}
        {rows && isAllTheSame(rows) && t('triggers.isTheSame')}
      </p>
      {description !== undefined && (
        <p className={classes.description}>
          <strong>{t('triggers.triedDescription')}</strong> {description}
        </p>
      )}
      {before?.description !== undefined && before.description !== description && (
        <p className={classes.description}>
          <strong>{t('triggers.beforeDescription')}</strong> {before.description}
        </p>
      )}
      {summaries.some(({ onlyRanking }) => onlyRanking) && (
        <p className={classes.description}>{t('triggers.onlyRanking')}</p>
      )}
      <SummaryTable summaries={summaries} before={before?.summaries} />
      <LoadError queries={[run]} />
      {run.isPending && <Rows />}
      {rows && (
        <ResultTable skill={skill} models={summaries.map(({ model }) => model)} rows={rows} />
      )}
    </div>
  );
}

interface SummaryTableProps {
  summaries: readonly TriggerSummary[];
  /** The same counts of the previous run. */
  before: readonly TriggerSummary[] | undefined;
}

/** One row per model: accuracy and cost. */
function SummaryTable({ summaries, before }: SummaryTableProps) {
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

interface ResultTableProps {
  /** Name of the skill. */
  skill: string;
  models: readonly string[];
  rows: readonly PromptRow[];
}

/** One row per prompt with the result of each model. */
function ResultTable({ skill, models, rows }: ResultTableProps) {
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

function Outcome({ skill, result }: { skill: string; result: ComparedResult }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { outcome, before, activated, rank, error, searched, via } = result;
  const others = activated.filter((name) => name !== skill);
  return (
    <span className={classes.outcome}>
      <TriggerVerdict outcome={outcome} />
      {before !== undefined && before !== outcome && (
        <span className={classes.change} data-better={isRight(outcome)}>
          {t('triggers.was', { outcome: t(triggerOutcomeTexts[before]) })}
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
