import { Problem } from '@knowhow/shared/problem';
import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import '../../ui/mantine-fields.css';

interface PasswordStepProps {
  /** Explains why it is required. */
  about: string;
  onPassword: (password: string) => Promise<void>;
  onCancel: () => void;
}

/** Asks for the current password before a change to the user's sign-in (step-up authentication). */
export function PasswordStep({ about, onPassword, onCancel }: PasswordStepProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const show = useMutation({ mutationFn: () => onPassword(password) });
  const isWrong = show.error instanceof Problem && show.error.code === 'wrong-credentials';

  return (
    <DialogForm
      about={about}
      error={isWrong ? null : show.error}
      isBusy={show.isPending}
      submitLabel={t('secondFactor.goOn')}
      onSubmit={() => show.mutate()}
      onCancel={onCancel}
    >
      <PasswordInput
        label={t('account.currentPassword')}
        error={isWrong && t('account.currentIsWrong')}
        required
        withAsterisk={false}
        autoFocus
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
