import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { Radio } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import classes from './user-dialog.module.css';

interface DeleteUserProps {
  user: User;
  opened: boolean;
  onClose: () => void;
}

/** Deletes a user, after asking what should happen to their conversations. */
export function DeleteUser({ user, opened, onClose }: DeleteUserProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [wanted, setWanted] = useState<'delete' | 'keep'>('keep');
  const known = useQuery({
    ...query(adminUsersApi.get, { params: { id: user.id } }),
    enabled: opened,
  });
  const count = known.data?.conversations;
  const conversations = count === 0 ? 'delete' : wanted;

  const deletion = useMutation({
    mutationFn: () =>
      call(adminUsersApi.remove, { params: { id: user.id }, query: { conversations } }),
    onSuccess: () => {
      onClose();
      notifications.show({
        message: t('adminUsers.deleted', { name: user.name }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      void queryClient.invalidateQueries();
    },
  });

  return (
    <ConfirmDialog
      title={t('adminUsers.deleteTitle', { name: user.name })}
      opened={opened}
      onClose={onClose}
      onConfirm={() => deletion.mutate()}
      confirmLabel={t('adminUsers.delete')}
      typed={user.username}
      error={deletion.error ?? known.error}
      isBusy={deletion.isPending || known.isPending}
    >
      <p>{t('adminUsers.deleteAbout', { name: user.name })}</p>
      {count === 0 && <p>{t('adminUsers.noConversations')}</p>}
      {count !== undefined && count > 0 && (
        <Radio.Group
          label={t('adminUsers.conversations', { count })}
          value={wanted}
          onChange={(value) => setWanted(value === 'delete' ? 'delete' : 'keep')}
        >
          <div className={classes.choices}>
            <Radio
              value="keep"
              label={t('adminUsers.keepConversations')}
              description={t('adminUsers.keepAbout')}
            />
            <Radio
              value="delete"
              label={t('adminUsers.deleteConversations')}
              description={t('adminUsers.deleteConversationsAbout')}
            />
          </div>
        </Radio.Group>
      )}
    </ConfirmDialog>
  );
}
