import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { authApi } from '@knowhow/shared/access/auth';
import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PasswordOnce } from './password-once.tsx';
import classes from './user-dialog.module.css';

interface ResetPasswordProps {
  user: User;
  onClose: () => void;
}

/** Resets a user's password, after explaining the effects. */
export function ResetPassword({ user, onClose }: ResetPasswordProps) {
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
