import { Problem } from '@knowhow/shared/problem';
import { Button, Modal, PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountFault } from '../../ui/text/account-fault.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './sign-in-form.module.css';
import { useChangePassword, useMe } from './use-me.ts';

/** Changes the user's own password; requires the current one. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.changePassword')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <PasswordForm onClose={onClose} />
    </Modal>
  );
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { passwordMinLength } = useMe().data ?? {};
  const changePassword = useChangePassword();
  const change = useMutation({
    mutationFn: () => changePassword(current, password),
    onSuccess: () => {
      notifications.show({
        message: t('account.passwordChanged'),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      onClose();
    },
  });
  const isWrong = change.error instanceof Problem && change.error.code === 'wrong-credentials';
  const fault = accountFault(change.error);

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    change.mutate();
  }

  const field = {
    required: true,
    withAsterisk: false,
    visibilityToggleButtonProps: { 'aria-label': t('account.showPassword') },
  };
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {change.error && !isWrong && !fault && <ErrorNote error={change.error} />}
      <PasswordInput
        {...field}
        label={t('account.currentPassword')}
        error={isWrong && t('account.currentIsWrong')}
        autoComplete="current-password"
        data-autofocus
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <PasswordInput
        {...field}
        label={t('account.newPassword')}
        description={
          passwordMinLength && t('account.newPasswordAbout', { count: passwordMinLength })
        }
        error={fault && t(fault)}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={change.isPending} fullWidth>
        {t('account.changePassword')}
      </Button>
    </form>
  );
}
