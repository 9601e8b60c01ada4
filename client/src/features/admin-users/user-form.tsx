import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { Button, Group, MultiSelect, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import { MailAddress } from './mail-address.tsx';
import { PasswordOnce } from './password-once.tsx';
import classes from './user-dialog.module.css';

interface UserFormProps {
  /** Omitted for a new user. */
  user?: User;
  onClose: () => void;
}

/** Creates or edits a user. */
export function UserForm({ user, onClose }: UserFormProps) {
  const { t } = useTranslation();
  const groupNames = useGroupNames();
  const directory = user?.directory;
  const [username, setUsername] = useState('');
  const [name, setName] = useState(user?.name ?? '');
  const [groups, setGroups] = useState(user?.groups ?? []);
  const [disabled, setDisabled] = useState(user?.disabled ?? false);
  const [address, setAddress] = useState<string>();

  const save = useSaveUser(user, onClose);

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    save.mutate({ username, name, groups, disabled, address });
  }

  if (save.data !== undefined) {
    return <PasswordOnce name={name} password={save.data} onClose={onClose} />;
  }
  const unknown = groups.filter((id) => !groupNames.has(id));
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {!user && (
        <TextInput
          label={t('adminUsers.username')}
          description={t('adminUsers.usernameAbout')}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          required
          withAsterisk={false}
          maxLength={200}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      <TextInput
        label={t('adminUsers.name')}
        disabled={directory !== undefined}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        withAsterisk={false}
        maxLength={200}
        autoComplete="off"
      />
      <MultiSelect
        label={t('adminUsers.groups')}
        description={t(directory ? 'adminUsers.groupsByHand' : 'adminUsers.groupsAbout')}
        data={[
          ...[...groupNames].map(([value, label]) => ({ value, label })),
          ...unknown.map((id) => ({ value: id, label: t('adminUsers.unknownGroup', { id }) })),
        ]}
        value={groups}
        onChange={setGroups}
        searchable
        hidePickedOptions
      />
      {user && (
        <Switch
          label={t('adminUsers.maySignIn')}
          description={t('adminUsers.maySignInAbout')}
          checked={!disabled}
          onChange={(event) => setDisabled(!event.currentTarget.checked)}
        />
      )}
      {user && <MailAddress user={user} written={address} onWrite={setAddress} />}
      {user?.hasSecondFactor && <SecondFactorOff user={user} onOff={onClose} />}
      {!user && <p className={classes.about}>{t('adminUsers.passwordAbout')}</p>}
      {save.error && <ErrorNote error={save.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {user ? t('adminUsers.save') : t('adminUsers.add')}
        </Button>
      </Group>
    </form>
  );
}

interface SecondFactorOffProps {
  user: User;
  /** Called after the reset. */
  onOff: () => void;
}

/** Resets two-factor authentication of a user who has lost their device. */
function SecondFactorOff({ user: { id, name }, onOff }: SecondFactorOffProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const takeOff = useMutation({
    mutationFn: () => call(adminUsersApi.removeSecondFactor, { params: { id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(endpointQueryFilter(adminUsersApi.list));
      onOff();
    },
  });
  return (
    <div>
      <p className={classes.about}>{t('adminUsers.hasFactor')}</p>
      <Button variant="default" size="xs" mt={8} onClick={() => setAsks(true)}>
        {t('adminUsers.factorOff')}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={t('adminUsers.factorOffAsk', { name })}
        confirmLabel={t('adminUsers.factorOff')}
        isBusy={takeOff.isPending}
        error={takeOff.error}
        onConfirm={() => takeOff.mutate()}
        onClose={() => setAsks(false)}
      >
        {t('adminUsers.factorOffAbout')}
      </ConfirmDialog>
    </div>
  );
}

interface Values extends Pick<User, 'username' | 'name' | 'groups' | 'disabled'> {
  /** For e-mail; undefined if it was not edited. */
  address: string | undefined;
}

/**
 * Updates a user, or creates one if none is given. For a new user, the result is the generated password, and
 * `onSaved` is not called, because the password has to be shown first.
 */
function useSaveUser(user: User | undefined, onSaved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ username, name, groups, disabled, address }: Values) => {
      if (user) {
        if (address !== undefined) {
          const mail = { params: { id: user.id }, body: { address: address.trim() || null } };
          await call(adminUsersApi.setMailAddress, mail);
        }
        const change = { params: { id: user.id }, body: { name, groups, disabled } };
        await call(adminUsersApi.update, change);
        return;
      }
      return (await call(adminUsersApi.create, { body: { username, name, groups } })).password;
    },
    onSuccess: (password) => {
      // Names and permissions are shown on other pages, too.
      void queryClient.invalidateQueries();
      if (password === undefined) {
        onSaved();
      }
    },
  });
}
