import type { Me } from '@knowhow/shared/auth';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { useCommands } from './use-commands.tsx';

export type OpenDialog = 'commands' | 'keys' | undefined;

const CommandDialog = lazy(async () => ({
  default: (await import('../features/commands/command-dialog.tsx')).CommandDialog,
}));
const KeysDialog = lazy(async () => ({
  default: (await import('../features/commands/keys-dialog.tsx')).KeysDialog,
}));

interface DialogsProps {
  me: Me;
  open: OpenDialog;
  onOpen: (dialog: OpenDialog) => void;
}

/** The dialogs that can be opened from everywhere. */
export function Dialogs({ me, open, onOpen }: DialogsProps) {
  const navigate = useNavigate();
  const commands = useCommands(me, () => onOpen('keys'));
  const close = () => onOpen(undefined);
  return (
    <Suspense>
      {open === 'commands' && (
        <CommandDialog
          commands={commands}
          onClose={close}
          onOpenConversation={(id) => navigate(`/c/${id}`)}
        />
      )}
      {open === 'keys' && <KeysDialog onClose={close} />}
    </Suspense>
  );
}
