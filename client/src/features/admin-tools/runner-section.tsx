import type { SyncResult } from '@knowhow/shared/config/runner';
import { Button, Skeleton } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/layout/section.tsx';
import { RunnerState } from '../../ui/runner-state.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { type RunnerFacts, useRunner, useSync } from '../../ui/use-runner.ts';
import classes from './runner-section.module.css';

/** The script runner and its skill copies. */
export function RunnerSection() {
  const { t } = useTranslation();
  const runner = useRunner();
  return (
    <Section title={t('runner.title')} text={t('runner.about')}>
      {runner.error && <ErrorNote error={runner.error} onRetry={() => runner.refetch()} />}
      {runner.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={96} />
        </div>
      )}
      {runner.data && (
        <div className={classes.box}>
          <RunnerState runner={runner.data} />
          {runner.data.keepsCopies && <Copies runner={runner.data} />}
        </div>
      )}
    </Section>
  );
}

function Copies({ runner: { lastSync, syncing, status } }: { runner: RunnerFacts }) {
  const { t } = useTranslation();
  const sync = useSync();
  return (
    <div className={classes.copies}>
      <div className={classes.words}>
        <h3>{t('runner.copies')}</h3>
        <p>{t('runner.copiesAbout')}</p>
        {sync.error && <ErrorNote error={sync.error} />}
        <div role="status">
          {sync.isPending || syncing ? (
            <p>{syncing ? t('runner.progress', syncing) : t('runner.comparing')}</p>
          ) : (
            lastSync && <Outcome result={lastSync} />
          )}
        </div>
      </div>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={sync.isPending}
        disabled={status === 'none'}
        onClick={() => sync.mutate()}
      >
        {t('runner.sync')}
      </Button>
    </div>
  );
}

function Outcome({ result: { at, synced, removed, errors } }: { result: SyncResult }) {
  const { t } = useTranslation();
  const { relativeDate, date } = useFormat();
  return (
    <>
      <p>
        {t('runner.synced', { count: synced })} · {t('runner.removed', { count: removed })} ·{' '}
        {t('runner.errors', { count: errors.length })} ·{' '}
        <time dateTime={at} title={date(at)}>
          {relativeDate(at)}
        </time>
      </p>
      {errors.length > 0 && (
        <ul className={classes.errors} aria-label={t('runner.errorList')}>
          {errors.map(({ skill, message }) => (
            <li key={`${skill} ${message}`}>
              {skill !== undefined && <code>{skill}</code>} {revealHiddenCharacters(message)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
