import type { Me } from '@knowhow/shared/access/auth';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Route, Routes, useLocation } from 'react-router';
import { refetchUser, useMe } from '../features/account/use-me.ts';
import { followOtherTabs, notifyOtherTabs } from '../features/turn/other-tabs.ts';
import { TurnContext } from '../features/turn/turn-context.ts';
import { TurnRunner } from '../features/turn/turn-runner.ts';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { loadTexts } from '../ui/loading/load-texts.ts';
import { PageLoading } from '../ui/loading/page-loading.tsx';
import { ImageHostsContext } from '../ui/markdown/image-hosts-context.ts';
import { SpeechContext } from '../ui/text/speech-context.ts';
import { useErrorText } from '../ui/text/use-error-text.ts';
import { ChatRoute } from './chat/chat-route.tsx';
import { ConnectionBar } from './frame/connection-bar.tsx';
import { Shell } from './frame/shell.tsx';
import { NoticePage } from './notice-page.tsx';

const AdminArea = lazyPart(async () => {
  const [{ AdminArea: Area }] = await Promise.all([
    import('./admin/admin-area.tsx'),
    loadTexts('admin', 'skills', 'tools'),
  ]);
  return Area;
});

const EmbedArea = lazyPart(async () => (await import('./embed/embed-area.tsx')).EmbedArea);

const LoadedSignInPage = lazyPart(async () => (await import('./sign-in-page.tsx')).SignInPage);

const InvitationPage = lazyPart(async () => (await import('./invitation-page.tsx')).InvitationPage);

const SharedPage = lazyPart(async () => (await import('./chat/shared-page.tsx')).SharedPage);

const OtherPages = lazyPart(async () => (await import('./other-pages.tsx')).OtherPages);

/** Shared conversations are public; everything else identifies the user first. */
export function Gate() {
  return (
    <Routes>
      <Route
        path="/shared/:token"
        element={
          <Suspense fallback={<PageLoading />}>
            <SharedPage />
          </Suspense>
        }
      />
      <Route
        path="/invitation"
        element={
          <Suspense fallback={<PageLoading />}>
            <InvitationPage />
          </Suspense>
        }
      />
      <Route path="*" element={<Known />} />
    </Routes>
  );
}

/** Identifies the user before anything else, and shows what they may see. */
function Known() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const me = useMe();
  const errorText = useErrorText();

  if (me.data?.mayChat === false && !pathname.startsWith('/embed/')) {
    return <SignInPage me={me.data} />;
  }
  if (me.data) {
    return <Pages key={me.data.id} me={me.data} />;
  }
  if (me.error) {
    const { title, detail } = errorText(me.error);
    return (
      <>
        <ConnectionBar />
        <NoticePage title={title} text={detail || t('state.retrying')}>
          <Button onClick={() => me.refetch()}>{t('action.tryAgain')}</Button>
        </NoticePage>
      </>
    );
  }
  return null;
}

const noHosts: string[] = [];
const noSpeech: never[] = [];

/** All state of one user; it is reset for another user. */
function Pages({ me }: { me: Me }) {
  const queryClient = useQueryClient();
  const [runner] = useState(() => {
    const onSignedOut = () => refetchUser(queryClient);
    const user = me.anonymous ? undefined : me.id;
    return new TurnRunner(queryClient, { user, onSignedOut, notifyOthers: notifyOtherTabs });
  });

  useEffect(() => () => runner.abortAll(), [runner]);
  useEffect(() => followOtherTabs(queryClient), [queryClient]);

  return (
    <TurnContext value={runner}>
      <ImageHostsContext value={me.imageHosts ?? noHosts}>
        <SpeechContext value={me.speech ?? noSpeech}>
          <Routes>
            <Route path="/login" element={<SignInPage me={me} />} />
            {me.isAdmin && (
              <Route
                path="/admin/*"
                element={
                  <Suspense fallback={<PageLoading />}>
                    <AdminArea me={me} />
                  </Suspense>
                }
              />
            )}
            <Route
              path="/embed/:appId/*"
              element={
                <Suspense fallback={<PageLoading />}>
                  <EmbedArea me={me} />
                </Suspense>
              }
            />
            {me.anonymous && <Route path="/admin/*" element={<SignInPage me={me} />} />}
            <Route element={<Shell me={me} />}>
              <Route index element={<ChatRoute />} />
              <Route path="/apps/:appId" element={<ChatRoute />} />
              <Route path="/c/:id" element={<ChatRoute />} />
              <Route
                path="*"
                element={
                  <Suspense fallback={<PageLoading />}>
                    <OtherPages me={me} />
                  </Suspense>
                }
              />
            </Route>
          </Routes>
        </SpeechContext>
      </ImageHostsContext>
    </TurnContext>
  );
}

function SignInPage({ me }: { me: Me }) {
  return (
    <Suspense fallback={<PageLoading />}>
      <LoadedSignInPage me={me} />
    </Suspense>
  );
}
