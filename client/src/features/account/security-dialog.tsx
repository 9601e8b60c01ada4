import { type AccountSession, accountApi } from '@knowhow/shared/access/account';
import { Button, Modal, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import list from './account-list.module.css';
import { SecondFactorPart } from './second-factor-part.tsx';
import classes from './security-dialog.module.css';
import { useMe } from './use-me.ts';

/**
 * Security of the user's own account: two-factor authentication and active sessions. Users of an identity
 * provider have their second factor there.
 */
export function SecurityDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe().data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.security')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
      centered
    >
      {me && me.signsInWith === undefined && <SecondFactorPart />}
      <SessionList />
    </Modal>
  );
}

const sessionsQuery = allItems(accountApi.sessions, {});

/** Active sessions: end one, or all others at once. */
function SessionList() {
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

interface SessionRowProps {
  session: AccountSession;
  onEnded: () => unknown;
}

/** A session, identified by browser, address and time. */
function SessionRow({ session, onEnded }: SessionRowProps) {
  const { t } = useTranslation();
  const { id, isCurrent } = session;
  const device = useDevice(session);
  const end = useMutation({
    mutationFn: () => call(accountApi.endSession, { params: { id } }),
    onSettled: onEnded,
  });
  return (
    <li>
      <div className={list.row}>
        <div className={list.text}>
          <p className={list.title}>
            {device} {isCurrent && <span className={classes.current}>{t('sessions.current')}</span>}
          </p>
          <p className={list.facts}>{useFacts(session).join(' · ')}</p>
        </div>
        {!isCurrent && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('sessions.endOf', { device })}
            loading={end.isPending}
            onClick={() => end.mutate()}
          >
            {t('sessions.end')}
          </Button>
        )}
      </div>
      {end.error && <ErrorNote error={end.error} />}
    </li>
  );
}

function useDevice({ browser, system }: AccountSession): string {
  const { t } = useTranslation();
  if (browser && system) {
    return t('sessions.browserOn', { browser, system });
  }
  return browser ?? system ?? t('sessions.unknown');
}

function useFacts({ address, startedAt, lastUsedAt }: AccountSession): string[] {
  const { t } = useTranslation();
  const { relativeDate, date } = useFormat();
  return [
    ...(address ? [address] : []),
    ...(lastUsedAt ? [t('sessions.used', { when: relativeDate(lastUsedAt) })] : []),
    ...(startedAt ? [t('sessions.began', { when: date(startedAt) })] : []),
  ];
}
