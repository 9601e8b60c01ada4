import type { Me } from '@knowhow/shared/access/auth';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { MenuDialog } from '../../features/account/menu-dialog.ts';
import { CommandDialog } from '../../features/commands/command-dialog.tsx';
import { addTextToNewDraft } from '../../features/composer/use-draft.ts';
import { permittedAdminPages } from '../permitted-admin-pages.ts';
import { useCommands } from './use-commands.tsx';

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
