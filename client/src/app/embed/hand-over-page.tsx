import type { Me } from '@knowhow/shared/access/auth';
import { embedApi } from '@knowhow/shared/access/embed';
import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { SignInWays } from '../../features/account/sign-in-ways.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { Brand } from '../frame/brand.tsx';
import { NoticePage } from '../notice-page.tsx';
import classes from '../sign-in-page.module.css';

/** The sign-in window of an embedded chat: it hands a code over to the frame. */
export function HandOverPage({ me, appId }: { me: Me; appId: string }) {
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
