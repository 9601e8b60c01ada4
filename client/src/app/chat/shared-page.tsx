import type { Me } from '@knowhow/shared/access/auth';
import { type SharedConversation, sharingApi } from '@knowhow/shared/chat/sharing';
import { Problem } from '@knowhow/shared/problem';
import { Button, Skeleton } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { query } from '../../api/query.ts';
import { useMe } from '../../features/account/use-me.ts';
import { SharedThread } from '../../features/messages/shared-thread.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { Brand } from '../frame/brand.tsx';
import { ConnectionBar } from '../frame/connection-bar.tsx';
import { NoticePage } from '../notice-page.tsx';
import { SignInPage } from '../sign-in-page.tsx';
import classes from './shared-page.module.css';

/** The public view of a shared conversation. It requests nothing else, and needs neither account nor cookie. */
export function SharedPage() {
  const { t } = useTranslation();
  const { token = '' } = useParams();
  const shared = useQuery({
    ...query(sharingApi.read, { params: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useDocumentTitle(`${shared.data?.title ?? t('shared.conversation')} · Knowhow`);
  if (shared.error instanceof Problem && shared.error.code === 'not-found') {
    return <MissingShare onSignedIn={shared.refetch} />;
  }
  return (
    <div className={classes.page}>
      <ConnectionBar />
      <main className={classes.main} aria-busy={shared.isPending}>
        {shared.error && <ErrorNote error={shared.error} onRetry={shared.refetch} />}
        {shared.isPending && (
          <div className={classes.head} role="status" aria-label={t('state.loading')}>
            <Skeleton height={24} width="60%" />
            <Skeleton height={12} mt={32} />
            <Skeleton height={12} mt={12} width="80%" />
          </div>
        )}
        {shared.data && (
          <>
            <SharedHead shared={shared.data} />
            <SharedThread token={token} messages={shared.data.messages} />
          </>
        )}
      </main>
    </div>
  );
}

function SharedHead({ shared }: { shared: SharedConversation }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { title, by, sharedAt, without } = shared;
  const facts = [
    ...(by === undefined ? [] : [t('shared.by', { name: by })]),
    t('shared.asOf', { date: date(sharedAt) }),
  ];
  return (
    <header className={classes.head}>
      <Brand />
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.facts}>{facts.join(' · ')}</p>
      {without.map((extra) => (
        <p key={extra} className={classes.facts}>
          {t(withoutKeys[extra])}
        </p>
      ))}
    </header>
  );
}

const withoutKeys = { files: 'shared.withoutFiles', details: 'shared.withoutDetails' } as const;

/** Users who are signed out may see more after signing in. */
function MissingShare({ onSignedIn }: { onSignedIn: () => unknown }) {
  const { t } = useTranslation();
  const me = useMe().data;
  const [guest, setGuest] = useState<Me>();
  const isSignedIn = guest !== undefined && me?.anonymous === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the user has signed in
  useEffect(() => {
    if (isSignedIn) {
      setGuest(undefined);
      onSignedIn();
    }
  }, [isSignedIn]);
  if (guest && !isSignedIn) {
    return <SignInPage me={guest} />;
  }
  return (
    <NoticePage title={t('shared.missing')} text={t('shared.missingText')}>
      {me?.anonymous && <Button onClick={() => setGuest(me)}>{t('account.signIn')}</Button>}
      <Button component={Link} to="/" variant="default">
        {t('shared.toKnowhow')}
      </Button>
    </NoticePage>
  );
}
