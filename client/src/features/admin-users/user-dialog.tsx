import type { User } from '@knowhow/shared/access/admin-users';
import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import { MoveSignIn } from './move-sign-in.tsx';
import { ResetPassword } from './reset-password.tsx';
import classes from './user-dialog.module.css';
import { UserForm } from './user-form.tsx';

/** The action and its user. */
export type UserDeed = { deed: 'add' } | { deed: 'edit' | 'reset'; user: User };

interface UserDialogProps {
  deed: UserDeed;
  opened: boolean;
  onClose: () => void;
}

/** Creates or edits a user, or resets a password. */
export function UserDialog({ deed, opened, onClose }: UserDialogProps) {
  const { t } = useTranslation();

  function titleOf(done: UserDeed): string {
    switch (done.deed) {
      case 'add':
        return t('adminUsers.add');
      case 'edit':
        return done.user.username;
      case 'reset':
        return t('adminUsers.resetTitle', { name: done.user.name });
    }
  }

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={titleOf(deed)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      closeOnClickOutside={false}
      centered
    >
      {deed.deed === 'add' && <UserForm onClose={onClose} />}
      {deed.deed === 'edit' && <EditUser user={deed.user} onClose={onClose} />}
      {deed.deed === 'reset' && <ResetPassword user={deed.user} onClose={onClose} />}
    </Modal>
  );
}

function EditUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { directory } = user;
  return (
    <div className={classes.form}>
      {directory && <FromDirectory user={user} directory={directory} onMoved={onClose} />}
      <UserForm user={user} onClose={onClose} />
    </div>
  );
}

interface FromDirectoryProps {
  user: User;
  directory: NonNullable<User['directory']>;
  /** Called when another account has taken over its sign-in. */
  onMoved: () => void;
}

/** The identity provider of an account, and its data from there, which is read-only here. */
function FromDirectory({ user, directory, onMoved }: FromDirectoryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const groupNames = useGroupNames();
  const { title, email, groups, at } = directory;
  const names = groups.map((id) => groupNames.get(id) ?? id).join(', ');
  return (
    <div>
      <dl className={classes.directory}>
        <dt>{t('adminUsers.signsInWith')}</dt>
        <dd>{[title, email].filter(Boolean).join(' · ')}</dd>
        <dt>{t('adminUsers.lastThere')}</dt>
        <dd>{format.relativeDate(at)}</dd>
        <dt>{t('adminUsers.groupsThere')}</dt>
        <dd>{names || t('adminUsers.noGroups')}</dd>
      </dl>
      <MoveSignIn user={user} provider={title} onMoved={onMoved} />
    </div>
  );
}
