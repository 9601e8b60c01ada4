import type { Me } from '@knowhow/shared/access/auth';
import { type App, appsApi } from '@knowhow/shared/config/apps';
import { ActionIcon, Button, UnstyledButton } from '@mantine/core';
import { IconExternalLink, IconPencilPlus, IconUser, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { useSignOut } from '../../features/account/use-me.ts';
import { deleteDrafts } from '../../features/composer/use-draft.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { focusField } from '../../ui/focus/focus-field.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyMenu } from '../../ui/loading/lazy-menu.tsx';
import { newId } from '../../ui/new-id.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { ConversationCreatedContext } from '../answering/conversation-created-context.ts';
import { ChatPage } from '../chat/chat-page.tsx';
import { NoticePage } from '../notice-page.tsx';
import classes from './embed.module.css';
import { type FrameSignIn, useFrameSignIn } from './use-frame-sign-in.ts';
import { type Host, useHost } from './use-host.ts';

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

const keyOf = (app: string) => `knowhow-embed:${app}`;

interface Place {
  /** ID of the conversation. */
  id: string;
  /** ID of its user. */
  user: string;
}

/** The conversation that this user last opened in the frame of an app, restored on the next page. */
function readLastConversation(
  app: string,
  user: string,
): { id: string; isFresh: false } | undefined {
  const [id, owner] = (sessionStorage.getItem(keyOf(app)) ?? '').split(' ');
  return id && owner === user ? { id, isFresh: false } : undefined;
}

function storeLastConversation(app: string, place: Place | undefined): void {
  if (place) {
    sessionStorage.setItem(keyOf(app), `${place.id} ${place.user}`);
  } else {
    sessionStorage.removeItem(keyOf(app));
  }
}

interface FrameBarProps {
  me: Me;
  host: Host;
  signIn: FrameSignIn;
  /** Undefined if there is no chat. */
  app?: App;
  /** URL of the conversation in Knowhow itself. */
  address: string;
  onNew?: () => void;
}

/** The bar above an embedded chat: its app, a new conversation, and a link to Knowhow. */
function FrameBar({ me, host, signIn, app, address, onNew }: FrameBarProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  return (
    <>
      <div className={classes.bar}>
        <AppIcon icon={app?.icon} color={app?.color} />
        <h1>{localize(app?.name) || 'Knowhow'}</h1>
        {onNew && (
          <IconButton
            label={t('action.newConversation')}
            icon={<IconPencilPlus size={18} />}
            onClick={onNew}
          />
        )}
        <ActionIcon
          component="a"
          href={address}
          target="_blank"
          rel="noopener"
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('embed.openIn')}
          title={t('embed.openIn')}
        >
          <IconExternalLink size={18} />
        </ActionIcon>
        {app && <Account me={me} signIn={signIn} />}
        {host.canClose && (
          <IconButton label={t('embed.close')} icon={<IconX size={18} />} onClick={host.close} />
        )}
      </div>
      {signIn.note && (
        <p className={classes.note} role="alert">
          {signIn.note}
        </p>
      )}
    </>
  );
}

/** The signed-in user in this frame, who may differ from the one in Knowhow itself. */
function Account({ me, signIn }: Pick<FrameBarProps, 'me' | 'signIn'>) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const showError = useErrorToast();
  const name = me.anonymous ? t('account.guest') : me.name;
  const leave = () => signOut().then(deleteDrafts, showError);
  return (
    <LazyMenu
      position="bottom-end"
      withinPortal
      button={
        <UnstyledButton className={classes.account} aria-label={t('embed.account', { name })}>
          <IconUser size={18} aria-hidden />
        </UnstyledButton>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>{name}</Menu.Label>
          {me.anonymous ? (
            <Menu.Item onClick={signIn.begin}>{t('account.signIn')}</Menu.Item>
          ) : (
            <Menu.Item onClick={leave}>{t('account.signOut')}</Menu.Item>
          )}
        </>
      )}
    </LazyMenu>
  );
}
