import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { type TriggerRunHead, triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { Rows } from '../rows.tsx';
import { compareRuns, isAllTheSame } from './compare-runs.ts';
import { ResultTable } from './result-table.tsx';
import classes from './run-results.module.css';
import { SummaryTable } from './summary-table.tsx';
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
      data={heads.map(({ id, at, by, summaries }) => ({
        value: id,
        label: `${exactDate(at)} · ${summaries.map(({ model }) => nameOf(model)).join(', ')} · ${by}`,
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
  const { summaries, description, app, ended } = head;
  const rows = run.data && compareRuns(run.data, former.data);
  return (
    <div className={classes.run}>
      <p className={classes.facts}>
        {t('triggers.ran', { at: date(head.at), by: head.by })}{' '}
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
