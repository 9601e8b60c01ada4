import { type TriggerRound, triggerScheduleApi } from '@knowhow/shared/skills/trigger-tests';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import type { IdChoice } from '../ids-field.tsx';
import lists from './facts.module.css';
import { SettingField } from './setting-field.tsx';
import { SettingsSection } from './settings-section.tsx';
import classes from './trigger-schedule.module.css';

/** The schedule of trigger tests, and its last round. */
export function TriggerSchedule({ models }: { models: IdChoice[] | undefined }) {
  const { t } = useTranslation();
  const state = useQuery({ ...query(triggerScheduleApi.state, {}), staleTime: 0 });
  const { round, nextAt } = state.data ?? {};
  return (
    <div>
      <SettingsSection
        title={t('settings.triggerTests')}
        description={t('settings.triggerTestsAbout')}
        inRows
        fields={['triggerTests']}
        special={{
          'triggerTests.models': <SettingField path="triggerTests.models" choices={models} />,
        }}
      />
      <div className={classes.state}>
        {state.error && <ErrorNote error={state.error} onRetry={() => void state.refetch()} />}
        {state.isPending && <Skeleton height={96} role="status" aria-label={t('state.loading')} />}
        {state.data && !round && <p>{t('settings.triggerRound.none')}</p>}
        {round && <LastRound round={round} nextAt={nextAt} />}
      </div>
    </div>
  );
}

function LastRound({ round, nextAt }: { round: TriggerRound; nextAt: string | undefined }) {
  const { t } = useTranslation();
  const { date, number } = useFormat();
  const { kind, beganAt, endedAt, models, tested, remaining, tokens, isCapped, problem } = round;
  const from = date(beganAt);
  const time =
    endedAt === undefined
      ? t('settings.triggerRound.running', { at: from })
      : t('settings.triggerRound.ended', { from, to: date(endedAt) });
  return (
    <>
      <dl className={lists.facts}>
        <dt>{t('settings.triggerRound.began')}</dt>
        <dd>{time}</dd>
        <dt>{t('settings.triggerRound.usedModels')}</dt>
        <dd>{models.join(', ')}</dd>
        <dt>{t('settings.triggerRound.tested')}</dt>
        <dd>{number(tested)}</dd>
        <dt>{t('settings.triggerRound.remaining')}</dt>
        <dd>{number(remaining)}</dd>
        <dt>{t('settings.triggerRound.tokens')}</dt>
        <dd>{number(tokens)}</dd>
        {nextAt !== undefined && (
          <>
            <dt>{t('settings.triggerRound.next')}</dt>
            <dd>{date(nextAt)}</dd>
          </>
        )}
      </dl>
      {kind === 'new-models' && <p>{t('settings.triggerRound.extra')}</p>}
      {isCapped && <p>{t('settings.triggerRound.capped')}</p>}
      {problem && (
        <p role="alert">
          {t('settings.triggerRound.failed', { ...problem, at: date(problem.at) })}{' '}
          {endedAt === undefined && t('settings.triggerRound.retried')}
        </p>
      )}
    </>
  );
}
