import type { User } from '@knowhow/shared/access/admin-users';
import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FromDirectory } from './from-directory.tsx';
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
