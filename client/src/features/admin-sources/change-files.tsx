import { Problem } from '@knowhow/shared/problem';
import type { ProposedChange, ProposedFiles } from '@knowhow/shared/skills/skill-sources';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './admin-sources.module.css';
import { changeFilesQuery, useRefreshSources } from './sources-query.ts';

interface ChangeFilesProps {
  /** The id of the source. */
  source: string;
  change: ProposedChange;
  children: (files: ProposedFiles) => ReactNode;
}

/** What a change does to the files of its skill, loaded when this is first rendered. */
export function ChangeFiles({ source, change, children }: ChangeFilesProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...changeFilesQuery(source, change.key),
    // The key includes both sides, so the answer never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error && !data) {
    return isOutdated(error) ? <Outdated /> : <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  if (!data) {
    return (
      <div role="status" aria-label={t('state.loading')}>
        <Skeleton height={60} />
      </div>
    );
  }
  return (
    <>
      {change.accepted && data.diagnostics.length > 0 && (
        <DiagnosticsList diagnostics={data.diagnostics} />
      )}
      {children(data)}
    </>
  );
}

/** Whether the change is no longer proposed as it is shown. */
function isOutdated(error: unknown): boolean {
  return error instanceof Problem && error.code === 'conflict';
}

/** Says that the source or the skill has changed since the proposal was loaded, and loads it again. */
function Outdated() {
  const { t } = useTranslation();
  const refresh = useRefreshSources();
  return (
    <div className={classes.outdated} role="alert">
      <p className={classes.conflict}>{t('sources.outdated')}</p>
      <Button variant="default" size="compact-sm" onClick={() => void refresh()}>
        {t('sources.reload')}
      </Button>
    </div>
  );
}
