import type { Me } from '@knowhow/shared/access/auth';
import type { App } from '@knowhow/shared/config/apps';
import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconExternalLink, IconPencilPlus, IconUser, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSignOut } from '../../features/account/use-me.ts';
import { deleteDrafts } from '../../features/composer/use-draft.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyMenu } from '../../ui/loading/lazy-menu.tsx';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import classes from './embed.module.css';
import type { FrameSignIn } from './use-frame-sign-in.ts';
import type { Host } from './use-host.ts';

export interface FrameBarProps {
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
export function FrameBar({ me, host, signIn, app, address, onNew }: FrameBarProps) {
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
