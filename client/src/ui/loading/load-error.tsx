import { ErrorNote } from '../text/error-note.tsx';

interface Loaded {
  error: unknown;
  data: unknown;
  refetch: () => unknown;
}

/** A load error, with a button that retries the failed queries. */
export function LoadError({ queries }: { queries: Loaded[] }) {
  const failed = queries.filter(({ error, data }) => error && data === undefined);
  if (failed.length === 0) {
    return null;
  }
  return (
    <ErrorNote
      error={failed[0]?.error}
      onRetry={() => {
        for (const { refetch } of failed) {
          refetch();
        }
      }}
    />
  );
}
