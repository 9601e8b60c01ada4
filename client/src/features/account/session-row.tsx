import { type AccountSession, accountApi } from '@knowhow/shared/access/account';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import list from './account-list.module.css';
import classes from './security-dialog.module.css';

interface SessionRowProps {
  session: AccountSession;
  onEnded: () => unknown;
}

/** A session, identified by browser, address and time. */
export function SessionRow({ session, onEnded }: SessionRowProps) {
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
