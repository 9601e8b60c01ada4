import { accountApi } from '@knowhow/shared/access/account';
import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import list from './account-list.module.css';
import classes from './security-dialog.module.css';
import { SessionRow } from './session-row.tsx';

const sessionsQuery = allItems(accountApi.sessions, {});

/** Active sessions: end one, or all others at once. */
export function SessionList() {
  const { t } = useTranslation();
  const headingId = useId();
  const queryClient = useQueryClient();
  const sessions = useQuery({ ...sessionsQuery, staleTime: 0 });
  const refresh = () => queryClient.invalidateQueries(sessionsQuery);
  const items = sessions.data;
  return (
    <section className={classes.part} aria-labelledby={headingId}>
      <h3 id={headingId}>{t('sessions.title')}</h3>
      <p className={list.about}>{t('sessions.about')}</p>
      {sessions.error && !items && (
        <ErrorNote error={sessions.error} onRetry={() => sessions.refetch()} />
      )}
      {sessions.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={96} />
        </div>
      )}
      <ul className={list.list}>
        {items?.map((session) => (
          <SessionRow key={session.id} session={session} onEnded={refresh} />
        ))}
      </ul>
      {items && items.length > 1 && <EndOthers onEnded={refresh} />}
    </section>
  );
}

function EndOthers({ onEnded }: { onEnded: () => unknown }) {
  const { t } = useTranslation();
  const [asks, setAsks] = useState(false);
  const end = useMutation({
    mutationFn: () => call(accountApi.endOtherSessions, {}),
    onSuccess: () => {
      setAsks(false);
      return onEnded();
    },
  });
  return (
    <>
      <Button variant="default" className={classes.action} onClick={() => setAsks(true)}>
        {t('sessions.endOthers')}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={t('sessions.endOthersAsk')}
        confirmLabel={t('sessions.endOthers')}
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
        onClose={() => setAsks(false)}
      >
        {t('sessions.endOthersAbout')}
      </ConfirmDialog>
    </>
  );
}
