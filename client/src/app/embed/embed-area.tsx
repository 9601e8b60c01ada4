import type { Me } from '@knowhow/shared/access/auth';
import { embedApi } from '@knowhow/shared/access/embed';
import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Route, Routes, useParams } from 'react-router';
import { call } from '../../api/call.ts';
import { SignInWays } from '../../features/account/sign-in-ways.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { Brand } from '../frame/brand.tsx';
import { NoticePage } from '../notice-page.tsx';
import classes from '../sign-in-page.module.css';
import { FramedChat } from './framed-chat.tsx';

/** The embedded chat of an app, and the window for signing in to it. */
export function EmbedArea({ me }: { me: Me }) {
  const { appId = '' } = useParams();
  return (
    <div style={{ display: 'contents' }} onClickCapture={openInNewWindow}>
      <Routes>
        <Route index element={<FramedChat key={appId} me={me} appId={appId} />} />
        <Route path="sign-in" element={<HandOverPage me={me} appId={appId} />} />
      </Routes>
    </div>
  );
}

/** Other Knowhow pages are not shown in a third-party frame; links to them open a new window. */
function openInNewWindow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const leaves = link?.origin === location.origin && !/^\/(?:embed|api)\//.test(link.pathname);
  if (link && leaves && link.target === '') {
    event.preventDefault();
    event.stopPropagation();
    window.open(link.href, '_blank', 'noopener');
  }
}

/** The sign-in window of an embedded chat: it hands a code over to the frame. */
function HandOverPage({ me, appId }: { me: Me; appId: string }) {
  const { t } = useTranslation();
  useDocumentTitle(`${t('account.signIn')} · Knowhow`);
  const challenge = window.location.hash.slice(1);
  const handOver = useMutation({
    mutationFn: async () => {
      const { code } = await call(embedApi.handOver, { params: { appId }, body: { challenge } });
      // Only a page of our own origin receives it, not another page that opened this window.
      window.opener?.postMessage({ code }, window.location.origin);
      window.close();
    },
  });

  if (!window.opener) {
    return (
      <NoticePage title={t('embed.lostTitle')} text={t('embed.lostText')}>
        <Button onClick={() => window.close()}>{t('action.close')}</Button>
      </NoticePage>
    );
  }
  return (
    <div className={classes.page}>
      <main className={classes.main}>
        <Brand />
        <h1>{t('embed.window')}</h1>
        {handOver.error && <ErrorNote error={handOver.error} />}
        {me.anonymous ? (
          <SignInWays
            returnTo={`/embed/${appId}/sign-in#${challenge}`}
            onSignedIn={() => undefined}
          />
        ) : (
          <>
            <p>{t('embed.goOnText')}</p>
            <Button
              fullWidth
              autoFocus
              loading={handOver.isPending}
              onClick={() => handOver.mutate()}
            >
              {t('embed.goOnAs', { name: me.name })}
            </Button>
          </>
        )}
      </main>
    </div>
  );
}
