import type { Me } from '@knowhow/shared/access/auth';
import { useMantineColorScheme } from '@mantine/core';
import {
  IconBolt,
  IconDeviceDesktop,
  IconGhost2,
  IconKeyboard,
  IconLanguage,
  IconLogin2,
  IconLogout2,
  IconMoon,
  IconPencilPlus,
  IconSun,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { getAccountItems } from '../../features/account/account-items.tsx';
import type { MenuDialog } from '../../features/account/menu-dialog.ts';
import type { Command } from '../../features/commands/command.ts';
import { CommandDialog } from '../../features/commands/command-dialog.tsx';
import { addTextToNewDraft } from '../../features/composer/use-draft.ts';
import { languages } from '../../i18n/languages.ts';
import { changeLanguage } from '../../ui/loading/load-texts.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { temporarySearch } from '../chat/temporary-search.ts';
import { useLeave } from '../chat/use-leave.ts';
import { permittedAdminPages } from '../permitted-admin-pages.ts';

interface CommandsProps {
  me: Me;
  /** Text typed before the search was loaded. */
  wanted: string;
  onClose: () => void;
  onOpen: (dialog: MenuDialog) => void;
}

/** The search across everything that this user can do and open. */
export function Commands({ me, wanted, onClose, onOpen }: CommandsProps) {
  const navigate = useNavigate();
  const { t } = useTranslation();
  const commands = useCommands(me, onOpen);
  const pages = permittedAdminPages(me).map(({ path, label, Icon }) => ({
    id: path,
    label: t(label),
    icon: <Icon size={17} aria-hidden />,
    run: () => navigate(path),
  }));
  // The palette opens with it and loads the entries that its text needs.
  const onUsePrompt = (title: string) => {
    addTextToNewDraft(`/${title}`);
    void navigate('/');
  };
  return (
    <CommandDialog
      commands={commands}
      wanted={wanted}
      adminPages={pages.length > 0 ? pages : undefined}
      rights={me.adminRights ?? []}
      onClose={onClose}
      onGo={navigate}
      onUsePrompt={onUsePrompt}
    />
  );
}

/** The commands that are available everywhere. */
function useCommands(me: Me, onOpen: (dialog: MenuDialog) => void): Command[] {
  const { t, i18n } = useTranslation();
  const showError = useErrorToast();
  const navigate = useNavigate();
  const leave = useLeave();
  const { setColorScheme } = useMantineColorScheme();
  return [
    {
      id: 'new',
      label: t('action.newConversation'),
      icon: <IconPencilPlus size={17} aria-hidden />,
      run: () => navigate('/'),
    },
    {
      id: 'library',
      label: t('shell.skills'),
      icon: <IconBolt size={17} aria-hidden />,
      run: () => navigate('/skills'),
    },
    {
      id: 'temporary',
      label: t('temporary.title'),
      icon: <IconGhost2 size={17} aria-hidden />,
      run: () => navigate(`/${temporarySearch}`),
    },
    {
      id: 'light',
      label: t('commands.light'),
      icon: <IconSun size={17} aria-hidden />,
      run: () => setColorScheme('light'),
    },
    {
      id: 'dark',
      label: t('commands.dark'),
      icon: <IconMoon size={17} aria-hidden />,
      run: () => setColorScheme('dark'),
    },
    {
      id: 'auto',
      label: t('commands.auto'),
      icon: <IconDeviceDesktop size={17} aria-hidden />,
      run: () => setColorScheme('auto'),
    },
    {
      id: 'keys',
      label: t('keys.title'),
      icon: <IconKeyboard size={17} aria-hidden />,
      run: () => onOpen('keys'),
    },
    ...(me.anonymous ? [] : getAccountItems(me)).map(({ dialog, label, Icon }) => ({
      id: dialog,
      label: t(label),
      icon: <Icon size={17} aria-hidden />,
      run: () => onOpen(dialog),
    })),
    ...Object.entries(languages).map(([tag, { name }]) => ({
      id: `language-${tag}`,
      label: `${t('account.language')}: ${name}`,
      icon: <IconLanguage size={17} aria-hidden />,
      run: () => void changeLanguage(i18n, tag).catch(showError),
    })),
    me.anonymous
      ? {
          id: 'sign-in',
          label: t('account.signIn'),
          icon: <IconLogin2 size={17} aria-hidden />,
          run: () => navigate('/login'),
        }
      : {
          id: 'sign-out',
          label: t('account.signOut'),
          icon: <IconLogout2 size={17} aria-hidden />,
          run: leave,
        },
  ];
}
