import {
  type DraftTest,
  type DraftTestPlan,
  draftTestsApi,
  type TestedResult,
} from '@knowhow/shared/skills/draft-tests';
import type { SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import { maxTriggerModels } from '@knowhow/shared/skills/trigger-schedule';
import { describeFailure, type TriggerPrompt } from '@knowhow/shared/skills/trigger-tests';
import { Button, Checkbox, Modal, Progress } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useReportFormat } from '../../../ui/text/use-report-format.ts';
import { TriggerVerdict } from '../../../ui/triggers/trigger-verdict.tsx';
import classes from './draft-test-dialog.module.css';
import { useDraftTest } from './use-draft-test.ts';

interface DraftTestDialogProps {
  draft: SkillDraft;
  opened: boolean;
  onClose: () => void;
}

/** Runs the trigger tests of a draft, and compares them with the published version. */
export function DraftTestDialog({ draft, opened, onClose }: DraftTestDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('draftTests.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="min(72rem, 96vw)"
      centered
    >
      <TestOfDraft draft={draft} />
    </Modal>
  );
}

function TestOfDraft({ draft: { skill, etag } }: Pick<DraftTestDialogProps, 'draft'>) {
  const { t } = useTranslation();
  const options = query(draftTestsApi.plan, { params: { skill } });
  const plan = useQuery({ ...options, queryKey: [...options.queryKey, etag], staleTime: 0 });
  const test = useDraftTest(skill);
  const { current } = test;
  return (
    <div className={classes.body}>
      <LoadError queries={[plan]} />
      {plan.isPending && <p role="status">{t('state.loading')}</p>}
      {plan.data && (
        <>
          <p className={classes.about}>
            {t(plan.data.published === undefined ? 'draftTests.aboutNew' : 'draftTests.about')}
          </p>
          {plan.data.faults.map(({ path, message }) => (
            <p key={path}>
              <code>{path}</code> {message}
            </p>
          ))}
          {plan.data.prompts.length === 0 ? (
            <p>{t('draftTests.noPrompts')}</p>
          ) : (
            <TestForm plan={plan.data} test={test} />
          )}
          {current && current.results.length > 0 && (
            <Results
              plan={plan.data}
              models={current.models}
              prompts={plan.data.prompts}
              results={current.results}
            />
          )}
          {!current && plan.data.last && <LastTest plan={plan.data} last={plan.data.last} />}
        </>
      )}
    </div>
  );
}

interface TestFormProps {
  plan: DraftTestPlan;
  test: ReturnType<typeof useDraftTest>;
}

/** Models of a test, with the number of requests, and its progress. */
function TestForm({ plan, test: { current, error, begin, stop } }: TestFormProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const localize = useLocalize();
  const { models, published } = plan;
  const wanted = models.filter(({ isWanted }) => isWanted);
  const [chosen, setChosen] = useState<string[]>();
  const [reuse, setReuse] = useState(true);
  const ids = chosen ?? (wanted.length > 0 ? wanted : models.slice(0, 1)).map(({ id }) => id);
  const selected = models.filter(({ id }) => ids.includes(id));
  const mayReuse = published !== undefined && selected.some(({ isKnown }) => isKnown);
  const { requests, ...rest } = estimate(plan, selected, reuse);
  return (
    <div className={classes.form}>
      <Checkbox.Group
        label={t('triggers.models')}
        description={t('draftTests.modelsHint', { count: maxTriggerModels })}
        value={ids}
        onChange={(next) => setChosen(next.slice(0, maxTriggerModels))}
      >
        <div className={classes.models}>
          {models.map(({ id, name, isWanted }) => (
            <Checkbox
              key={id}
              value={id}
              label={localize(name) || id}
              description={isWanted ? t('draftTests.wanted') : undefined}
            />
          ))}
        </div>
      </Checkbox.Group>
      {models.length === 0 && <p>{t('draftTests.noModels')}</p>}
      {mayReuse && (
        <Checkbox
          label={t('draftTests.reuse')}
          description={t('draftTests.reuseHint')}
          checked={reuse}
          onChange={(event) => setReuse(event.currentTarget.checked)}
        />
      )}
      <div className={classes.begin}>
        {current ? (
          <>
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={16} aria-hidden />}
              onClick={stop}
            >
              {t('triggers.stop')}
            </Button>
            <TestProgress done={current.done} total={current.total} />
          </>
        ) : (
          <>
            <Button
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              disabled={requests === 0}
              onClick={() => void begin({ models: ids, reuse })}
            >
              {t('triggers.begin')}
            </Button>
            <span className={classes.about}>
              {t('triggers.requests', { count: requests, shown: number(requests) })}
              <Estimate {...rest} />
            </span>
          </>
        )}
      </div>
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
}

function TestProgress({ done, total }: { done: number; total: number }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const words = t('triggers.progress', { done: number(done), total: number(total) });
  return (
    <div className={classes.progress}>
      <p role="status">{words}</p>
      <Progress aria-label={words} value={total === 0 ? 0 : (100 * done) / total} animated />
    </div>
  );
}

interface Usual {
  /** Undefined if a model was never tested. */
  tokens: number | undefined;
  /** By currency; undefined if a model has no prices. */
  costs: { amount: number; currency: string }[] | undefined;
}

function Estimate({ tokens, costs }: Usual) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const format = useReportFormat();
  if (tokens === undefined) {
    return null;
  }
  const shown = number(Math.round(tokens));
  return (
    <>
      {' · '}
      {costs
        ? t('draftTests.estimateCost', { tokens: shown, cost: format.costs(costs) })
        : t('draftTests.estimate', { tokens: shown })}
    </>
  );
}

/** The number of requests, and what they usually use. */
function estimate(
  { prompts, published }: DraftTestPlan,
  models: DraftTestPlan['models'],
  reuse: boolean,
): Usual & { requests: number } {
  const perModel = models.map((model) => {
    const sides = published === undefined || (reuse && model.isKnown) ? 1 : 2;
    return { ...model, asked: sides * prompts.length };
  });
  const costs = new Map<string, number>();
  for (const { usual, asked } of perModel) {
    if (usual?.cost) {
      const { currency, amount } = usual.cost;
      costs.set(currency, (costs.get(currency) ?? 0) + asked * amount);
    }
  }
  const sum = (value: (each: (typeof perModel)[number]) => number) =>
    perModel.reduce((total, each) => total + value(each), 0);
  const isKnown = perModel.length > 0 && perModel.every(({ usual }) => usual);
  return {
    requests: sum(({ asked }) => asked),
    tokens: isKnown ? sum(({ usual, asked }) => asked * (usual?.tokens ?? 0)) : undefined,
    costs: perModel.every(({ usual }) => usual?.cost)
      ? [...costs].map(([currency, amount]) => ({ currency, amount }))
      : undefined,
  };
}

function LastTest({ plan, last }: { plan: DraftTestPlan; last: DraftTest }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { number } = useFormat();
  const nameOf = useModelName(plan);
  return (
    <>
      <p className={classes.about}>
        {t('draftTests.ran', { at: date(last.at), by: last.by })}{' '}
        {last.ended === 'stopped' && t('triggers.wasStopped')}{' '}
        {!last.isCurrent && t('draftTests.outdated')}
      </p>
      <CardTable<DraftTest['models'][number]>
        label={t('triggers.summary')}
        rows={last.models}
        keyOf={({ model }) => model}
        head={{
          label: t('triggers.model'),
          render: ({ model, onlyRanking }) => (
            <span>
              {nameOf(model)} {onlyRanking && `(${t('triggers.rankingTag')})`}
            </span>
          ),
        }}
        columns={[
          ...(last.published === undefined
            ? []
            : [
                {
                  label: t('draftTests.published', { version: last.published }),
                  render: ({ published, compared }: DraftTest['models'][number]) =>
                    published === undefined
                      ? '–'
                      : t('draftTests.share', { right: number(published), all: number(compared) }),
                },
              ]),
          {
            label: t('draftTests.draft'),
            render: ({ draft, compared }) =>
              t('draftTests.share', { right: number(draft), all: number(compared) }),
          },
        ]}
      />
      <Results
        plan={{ ...plan, published: last.published }}
        models={last.models.map(({ model }) => model)}
        prompts={last.prompts}
        results={last.results}
      />
    </>
  );
}

function useModelName({ models }: Pick<DraftTestPlan, 'models'>): (id: string) => string {
  const localize = useLocalize();
  return (id) => localize(models.find((each) => each.id === id)?.name) || id;
}

interface ResultsProps {
  plan: Pick<DraftTestPlan, 'models' | 'published'>;
  models: readonly string[];
  prompts: readonly TriggerPrompt[];
  results: readonly TestedResult[];
}

interface Row extends TriggerPrompt {
  at: number;
}

/** A row per prompt, with the results of the published version and the draft side by side. */
function Results({ plan, models, prompts, results }: ResultsProps) {
  const { t } = useTranslation();
  const nameOf = useModelName(plan);
  const { published } = plan;
  const byCell = new Map(
    results.map((result) => [`${result.prompt} ${result.side} ${result.model}`, result]),
  );
  const sides = published === undefined ? (['draft'] as const) : (['published', 'draft'] as const);
  const columns = models.flatMap((model) =>
    sides.map((side) => ({
      label: `${nameOf(model)} · ${side === 'draft' ? t('draftTests.draft') : t('draftTests.published', { version: published })}`,
      render: ({ at }: Row) => {
        const result = byCell.get(`${at} ${side} ${model}`);
        return result && <Outcome result={result} />;
      },
    })),
  );
  return (
    <ScrollingGroup className={classes.scroller} label={t('triggers.results')}>
      <CardTable<Row>
        label={t('triggers.results')}
        rows={prompts.map((prompt, at) => ({ ...prompt, at }))}
        keyOf={({ at }) => String(at)}
        head={{
          label: t('triggers.promptHead'),
          render: ({ text }) => <span className={classes.prompt}>{text}</span>,
        }}
        columns={[
          {
            label: t('triggers.expected'),
            render: ({ expect }) => t(expect ? 'triggers.should' : 'triggers.shouldNot'),
          },
          ...columns,
        ]}
      />
    </ScrollingGroup>
  );
}

function Outcome({ result: { outcome, activated, hidden, error } }: { result: TestedResult }) {
  const { t } = useTranslation();
  const isActivated = outcome === 'hit' || outcome === 'wrong-hit';
  const others = [
    ...(outcome === 'miss' || outcome === 'left-alone' ? activated : []),
    ...(hidden > 0 ? [t('draftTests.hidden', { count: hidden })] : []),
  ];
  return (
    <span className={classes.outcome}>
      <TriggerVerdict outcome={outcome} />
      {others.length > 0 && (
        <span className={classes.details}>
          {t(isActivated ? 'triggers.besides' : 'triggers.instead')} {others.join(', ')}
        </span>
      )}
      {error && <span className={classes.details}>{describeFailure(error)}</span>}
    </span>
  );
}
