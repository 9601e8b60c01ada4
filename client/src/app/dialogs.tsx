import type { Me } from '@knowhow/shared/auth';
import { lazy, Suspense, useEffect, useRef } from 'react';

export type OpenDialog = 'commands' | 'keys' | 'password' | undefined;

const Commands = lazy(async () => ({ default: (await import('./commands.tsx')).Commands }));
const KeysDialog = lazy(async () => ({
  default: (await import('../features/commands/keys-dialog.tsx')).KeysDialog,
}));

const PasswordDialog = lazy(async () => ({
  default: (await import('../features/account/password-dialog.tsx')).PasswordDialog,
}));

interface DialogsProps {
  me: Me;
  open: OpenDialog;
  onOpen: (dialog: OpenDialog) => void;
}

/** The dialogs that can be opened from everywhere. */
export function Dialogs({ me, open, onOpen }: DialogsProps) {
  const close = () => onOpen(undefined);

  const before = useRef<Element>(null);

  // They are loaded when wanted and gone when closed: too fast to keep in mind where the focus was.
  useEffect(() => {
    if (open) {
      before.current ??= document.activeElement;
      return;
    }
    const element = before.current;
    before.current = null;
    if (element instanceof HTMLElement) {
      setTimeout(() => document.activeElement === document.body && element.focus());
    }
  }, [open]);

  return (
    <Suspense>
      {open === 'commands' && (
        <Commands me={me} onClose={close} onShowKeys={() => onOpen('keys')} />
      )}
      {open === 'keys' && <KeysDialog onClose={close} />}
      {open === 'password' && <PasswordDialog onClose={close} />}
    </Suspense>
  );
}
