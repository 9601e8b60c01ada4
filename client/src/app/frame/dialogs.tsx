import type { Me } from '@knowhow/shared/access/auth';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuDialog } from '../../features/account/menu-dialog.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { loadTexts } from '../../ui/loading/load-texts.ts';
import classes from './frame.module.css';
import { OwnPromptsPart } from './own-prompts-part.ts';

export type OpenDialog = MenuDialog | 'commands' | undefined;

const Commands = lazyPart(async () => (await import('./commands.tsx')).Commands, LostDialog);
const KeysDialog = lazyPart(
  async () => (await import('../../features/commands/keys-dialog.tsx')).KeysDialog,
  LostDialog,
);

const ConsentsDialog = lazyPart(async () => {
  await loadTexts('tools');
  return (await import('../../features/account/consents-dialog.tsx')).ConsentsDialog;
}, LostDialog);

const PasswordDialog = lazyPart(
  async () => (await import('../../features/account/password-dialog.tsx')).PasswordDialog,
  LostDialog,
);

const ConnectionsDialog = lazyPart(
  async () => (await import('../../features/account/connections-dialog.tsx')).ConnectionsDialog,
  LostDialog,
);

const NoticesDialog = lazyPart(
  async () => (await import('../../features/notices/notices-dialog.tsx')).NoticesDialog,
  LostDialog,
);

const ApiKeysDialog = lazyPart(
  async () => (await import('../../features/account/api-keys-dialog.tsx')).ApiKeysDialog,
  LostDialog,
);

const PreferencesDialog = lazyPart(
  async () => (await import('../../features/account/preferences-dialog.tsx')).PreferencesDialog,
  LostDialog,
);

const ImportDialog = lazyPart(
  async () =>
    (await import('../../features/conversations/transfer/import-dialog.tsx')).ImportDialog,
  LostDialog,
);

const SharesDialog = lazyPart(
  async () => (await import('../../features/account/shares-dialog.tsx')).SharesDialog,
  LostDialog,
);

const SecurityDialog = lazyPart(
  async () => (await import('../../features/account/security-dialog.tsx')).SecurityDialog,
  LostDialog,
);

const UsageDialog = lazyPart(
  async () => (await import('../../features/account/usage-dialog.tsx')).UsageDialog,
  LostDialog,
);

interface DialogsProps {
  me: Me;
  open: OpenDialog;
  onOpen: (dialog: OpenDialog) => void;
}

/** The dialogs that can be opened from everywhere. */
export function Dialogs({ me, open, onOpen }: DialogsProps) {
  const close = () => onOpen(undefined);

  const [typed, setTyped] = useState('');
  useFocusBack(open !== undefined);
  useLayoutEffect(() => {
    if (!open) {
      setTyped('');
    }
  }, [open]);

  return (
    <Suspense>
      {open === 'commands' && (
        <Suspense fallback={<TypedAhead onType={setTyped} onClose={close} />}>
          <Commands me={me} wanted={typed} onClose={close} onOpen={onOpen} />
        </Suspense>
      )}
      {open === 'keys' && <KeysDialog onClose={close} />}
      {open === 'apiKeys' && <ApiKeysDialog onClose={close} />}
      {open === 'connections' && <ConnectionsDialog onClose={close} />}
      {open === 'imports' && <ImportDialog onClose={close} />}
      {open === 'shares' && <SharesDialog onClose={close} />}
      {open === 'consents' && <ConsentsDialog onClose={close} />}
      {open === 'ownPrompts' && <OwnPromptsPart onClose={close} />}
      {open === 'preferences' && <PreferencesDialog onClose={close} />}
      {open === 'notices' && <NoticesDialog onClose={close} />}
      {open === 'security' && <SecurityDialog onClose={close} />}
      {open === 'usage' && <UsageDialog onClose={close} />}
      {open === 'password' && <PasswordDialog onClose={close} />}
    </Suspense>
  );
}

interface TypedAheadProps {
  onType: (text: string) => void;
  onClose: () => void;
}

/** Buffers keystrokes while the search is loading: otherwise they would go into the message. */
function TypedAhead({ onType, onClose }: TypedAheadProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <input
      ref={field}
      className={classes.typedAhead}
      aria-label={t('commands.title')}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    />
  );
}
