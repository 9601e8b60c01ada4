import type { Me } from '@knowhow/shared/access/auth';
import { type App, appsApi } from '@knowhow/shared/config/apps';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { focusField } from '../../ui/focus/focus-field.ts';
import { newId } from '../../ui/new-id.ts';
import { ConversationCreatedContext } from '../answering/conversation-created-context.ts';
import { ChatPage } from '../chat/chat-page.tsx';
import { NoticePage } from '../notice-page.tsx';
import classes from './embed.module.css';
import { FrameBar, type FrameBarProps } from './frame-bar.tsx';
import { readLastConversation, storeLastConversation } from './last-conversation.ts';
import { useFrameSignIn } from './use-frame-sign-in.ts';
import { useHost } from './use-host.ts';

/** The chat of one app: composer, messages, skills; without sidebar and administration. */
export function FramedChat({ me, appId }: { me: Me; appId: string }) {
  const { t } = useTranslation();
  const host = useHost();
  const signIn = useFrameSignIn(appId);
  const input = { params: { appId } };
  const { data: app, error } = useQuery({ ...query(appsApi.get, input), enabled: me.mayChat });
  const bar = { me, host, signIn, address: `/apps/${appId}` };

  if (!window.isSecureContext) {
    return (
      <Notice
        bar={<FrameBar {...bar} />}
        title={t('embed.insecureTitle')}
        text={t('embed.insecureText')}
      />
    );
  }
  if (me.mayChat && app) {
    return (
      <main className={classes.frame}>
        <Conversation key={me.id} me={me} app={app} bar={bar} />
      </main>
    );
  }
  if (me.mayChat && !error) {
    return null;
  }
  return (
    <Notice
      bar={<FrameBar {...bar} />}
      title={me.mayChat ? t('embed.missingTitle') : t('embed.signInTitle')}
      text={me.mayChat ? t('embed.missingText') : t('embed.signInText')}
    >
      {me.anonymous && <Button onClick={signIn.begin}>{t('account.signIn')}</Button>}
    </Notice>
  );
}

interface NoticeProps {
  bar: ReactNode;
  title: string;
  text: string;
  children?: ReactNode;
}

function Notice({ bar, title, text, children }: NoticeProps) {
  return (
    <main className={classes.frame}>
      {bar}
      <NoticePage title={title} text={text}>
        {children}
      </NoticePage>
    </main>
  );
}

interface ConversationProps {
  me: Me;
  app: App;
  bar: FrameBarProps;
}

/** The current conversation, kept when the user moves to another page of the same site. */
function Conversation({ me, app, bar }: ConversationProps) {
  const { t } = useTranslation();
  const [place, setPlace] = useState(
    () => readLastConversation(app.id, me.id) ?? { id: newId(), isFresh: true },
  );
  const { openings } = bar.host;
  useEffect(() => {
    if (openings > 0) {
      focusField(document.querySelector('textarea'));
    }
  }, [openings]);

  const startNew = () => {
    storeLastConversation(app.id, undefined);
    setPlace({ id: newId(), isFresh: true });
  };
  const onBegun = () => {
    storeLastConversation(app.id, { id: place.id, user: me.id });
    setPlace({ ...place, isFresh: false });
  };
  const address = place.isFresh || me.anonymous ? `/apps/${app.id}` : `/c/${place.id}`;
  const shown = <FrameBar {...bar} app={app} address={address} onNew={startNew} />;
  const missing = (
    <>
      {shown}
      <NoticePage title={t('embed.missingTitle')} text={t('embed.missingText')}>
        <Button onClick={startNew}>{t('action.newConversation')}</Button>
      </NoticePage>
    </>
  );
  return (
    <ConversationCreatedContext value={onBegun}>
      <ChatPage
        key={place.id}
        conversationId={place.id}
        isFresh={place.isFresh}
        wantedAppId={app.id}
        inFrame={{ bar: shown, missing }}
      />
    </ConversationCreatedContext>
  );
}
