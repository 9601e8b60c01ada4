import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { authApi } from '@knowhow/shared/access/auth';
import { Button, Group, Modal, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems, query } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SkillSharing } from '../../ui/skill-sharing.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import { PasswordOnce } from './password-once.tsx';
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
        return done.user.name;
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
      <div>
        <SkillSharing kind="user" id={user.id} />
      </div>
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

interface ResetPasswordProps {
  user: User;
  onClose: () => void;
}

/** Resets a user's password, after explaining the effects. */
function ResetPassword({ user, onClose }: ResetPasswordProps) {
  const { t } = useTranslation();
  const me = useQuery(query(authApi.me, {}));
  const reset = useMutation({
    mutationFn: () => call(adminUsersApi.resetPassword, { params: { id: user.id }, body: {} }),
  });
  const password = reset.data?.password;
  if (password !== undefined) {
    return <PasswordOnce name={user.name} password={password} onClose={onClose} />;
  }
  return (
    <div className={classes.form}>
      <p className={classes.about}>{t('adminUsers.resetAbout', { name: user.name })}</p>
      {me.data?.id === user.id && <p className={classes.about}>{t('adminUsers.resetSelf')}</p>}
      {reset.error && <ErrorNote error={reset.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button loading={reset.isPending} onClick={() => reset.mutate()}>
          {t('adminUsers.reset')}
        </Button>
      </Group>
    </div>
  );
}

interface MoveSignInProps {
  user: User;
  /** Display name of the provider. */
  provider: string;
  onMoved: () => void;
}

/** Moves an account's provider sign-in to an older account of the same person, which has a password. */
function MoveSignIn({ user, provider, onMoved }: MoveSignInProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [to, setTo] = useState<string | null>(null);
  const all = useQuery({ ...allItems(adminUsersApi.list, {}), enabled: asks });
  // The account "admin" keeps its password.
  const accounts = (all.data ?? []).filter(
    ({ directory, username }) => !directory && username !== 'admin',
  );
  const move = useMutation({
    mutationFn: (id: string) =>
      call(adminUsersApi.moveSignIn, { params: { id: user.id }, body: { to: id } }),
    onSuccess: ({ name }) => {
      notifications.show({
        message: t('adminUsers.signInMoved', { name, provider }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      void queryClient.invalidateQueries();
      onMoved();
    },
  });
  return (
    <>
      <Button variant="default" size="xs" mt={8} onClick={() => setAsks(true)}>
        {t('adminUsers.moveSignIn')}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={t('adminUsers.moveSignInTo', { name: user.name })}
        confirmLabel={t('adminUsers.moveSignInConfirm')}
        isBusy={move.isPending}
        error={move.error ?? all.error}
        onConfirm={() => to !== null && move.mutate(to)}
        onClose={() => setAsks(false)}
      >
        <p>{t('adminUsers.moveSignInAbout', { provider })}</p>
        <Select
          label={t('adminUsers.moveSignInAccount')}
          data={accounts.map(({ id, name, username }) => ({
            value: id,
            label: `${name} (${username})`,
          }))}
          value={to}
          onChange={setTo}
          required
          withAsterisk={false}
          searchable
        />
      </ConfirmDialog>
    </>
  );
}
