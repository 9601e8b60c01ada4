import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../ui/error-note.tsx';
import classes from './load-error.module.css';

type Loaded = Pick<UseQueryResult, 'error' | 'data' | 'refetch'>;

/** Why something is not there, and a button to try again. */
export function LoadError({ query: { error, data, refetch } }: { query: Loaded }) {
  const { t } = useTranslation();
  return (
    error &&
    data === undefined && (
      <div className={classes.error}>
        <ErrorNote error={error}>
          <Button variant="default" size="compact-sm" onClick={() => refetch()}>
            {t('action.tryAgain')}
          </Button>
        </ErrorNote>
      </div>
    )
  );
}
