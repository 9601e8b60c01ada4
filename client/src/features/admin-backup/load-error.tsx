import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorNote } from '../../ui/error-note.tsx';
import classes from './load-error.module.css';

type Loaded = Pick<UseQueryResult, 'error' | 'data' | 'refetch'>;

/** Why something is not there, and a button to try again. */
export function LoadError({ query: { error, data, refetch } }: { query: Loaded }) {
  return (
    error &&
    data === undefined && (
      <div className={classes.error}>
        <ErrorNote error={error} onRetry={() => refetch()} />
      </div>
    )
  );
}
