import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface MoveSignInProps {
  user: User;
  /** Display name of the provider. */
  provider: string;
  onMoved: () => void;
}

/** Moves an account's provider sign-in to an older account of the same person, which has a password. */
export function MoveSignIn({ user, provider, onMoved }: MoveSignInProps) {
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
