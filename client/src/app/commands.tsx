import type { Me } from '@knowhow/shared/auth';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { CommandDialog } from '../features/commands/command-dialog.tsx';
import { adminPages } from './admin-pages.ts';
import { useCommands } from './use-commands.tsx';

interface CommandsProps {
  me: Me;
  /** What has been typed before the search was there. */
  wanted: string;
  onClose: () => void;
  onShowKeys: () => void;
}

/** The search over everything this user can do and open. */
export function Commands({ me, wanted, onClose, onShowKeys }: CommandsProps) {
  const navigate = useNavigate();
  const { t } = useTranslation();
  const commands = useCommands(me, onShowKeys);
  const pages = adminPages.map(({ path, label, Icon }) => ({
    id: path,
    label: t(label),
    icon: <Icon size={17} aria-hidden />,
    run: () => navigate(path),
  }));
  const onOpenSkill = (name: string) => navigate(`/admin/skills/${encodeURIComponent(name)}`);
  return (
    <CommandDialog
      commands={commands}
      wanted={wanted}
      administration={me.isAdmin ? { pages, onOpenSkill } : undefined}
      onClose={onClose}
      onOpenConversation={(id) => navigate(`/c/${id}`)}
      onUseSkill={(name) => navigate(`/use/${encodeURIComponent(name)}`)}
    />
  );
}
