import type { Me } from '@knowhow/shared/access/auth';
import { type Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLogin2,
  IconLogout2,
  IconMoon,
  IconSelector,
  IconSettings,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../i18n/languages.ts';
import { LazyMenu } from '../../ui/loading/lazy-menu.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { changeLanguage } from '../../ui/loading/load-texts.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import type { MenuDialog } from './menu-dialog.ts';
import classes from './user-menu.module.css';

const AccountItems = lazyPart(async () => (await import('./account-items.tsx')).AccountItems);

interface UserMenuProps {
  me: Me;
  onSignIn: () => void;
  onSignOut: () => void;
  onOpen: (dialog: MenuDialog) => void;
  /** Links to the admin pages; omitted for users without permission, or on those pages. */
  onAdminister?: (() => void) | undefined;
}

/** The user's name and preferences: language and theme. */
export function UserMenu(props: UserMenuProps) {
  const { me, onSignIn, onSignOut, onOpen, onAdminister } = props;
  const { t } = useTranslation();
  const name = me.anonymous ? t('account.guest') : me.name;
  return (
    <LazyMenu
      position="top-start"
      width={248}
      withinPortal
      button={
        <UnstyledButton className={classes.target} aria-label={t('account.menu', { name })}>
          <IconUser size={18} aria-hidden />
          <span className={classes.name}>{name}</span>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      }
    >
      {(Menu) => (
        <>
          <LanguageItems Menu={Menu} />
          <Menu.Divider />
          <SchemeItems Menu={Menu} />
          <Menu.Divider />
          {onAdminister && (
            <Menu.Item leftSection={<IconSettings size={16} />} onClick={onAdminister}>
              {t('account.administration')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => onOpen('keys')}>
            {t('keys.title')}
          </Menu.Item>
          {!me.anonymous && (
            <Suspense>
              <AccountItems onOpen={onOpen} />
            </Suspense>
          )}
          {me.anonymous ? (
            <Menu.Item leftSection={<IconLogin2 size={16} />} onClick={onSignIn}>
              {t('account.signIn')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLogout2 size={16} />} onClick={onSignOut}>
              {t('account.signOut')}
            </Menu.Item>
          )}
        </>
      )}
    </LazyMenu>
  );
}

interface Parts {
  Menu: typeof Menu;
}

function LanguageItems({ Menu }: Parts) {
  const { t, i18n } = useTranslation();
  const showError = useErrorToast();
  return (
    <>
      <Menu.Label>{t('account.language')}</Menu.Label>
      <Menu.RadioGroup
        value={i18n.language}
        onChange={(tag) => void changeLanguage(i18n, tag).catch(showError)}
      >
        {Object.entries(languages).map(([tag, { name }]) => (
          <Menu.RadioItem key={tag} value={tag} lang={tag}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function SchemeItems({ Menu }: Parts) {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{t('account.appearance')}</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(chosen) => setColorScheme(chosen as typeof colorScheme)}
      >
        <Menu.RadioItem value="auto" rightSection={<IconDeviceDesktop size={16} />}>
          {t('account.auto')}
        </Menu.RadioItem>
        <Menu.RadioItem value="light" rightSection={<IconSun size={16} />}>
          {t('account.light')}
        </Menu.RadioItem>
        <Menu.RadioItem value="dark" rightSection={<IconMoon size={16} />}>
          {t('account.dark')}
        </Menu.RadioItem>
      </Menu.RadioGroup>
    </>
  );
}
