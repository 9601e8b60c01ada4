import { Problem } from '@knowhow/shared/problem';
import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import '../../ui/mantine-fields.css';
import list from './account-list.module.css';
import classes from './api-keys-dialog.module.css';

interface PasswordStepProps {
  /** What it is asked for. */
  about: string;
  onPassword: (password: string) => Promise<void>;
  onCancel: () => void;
}

/** Asks for the own password before something that changes how somebody signs in. */
export function PasswordStep({ about, onPassword, onCancel }: PasswordStepProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const show = useMutation({ mutationFn: () => onPassword(password) });
  const isWrong = show.error instanceof Problem && show.error.code === 'wrong-credentials';

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    show.mutate();
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <p className={list.about}>{about}</p>
      {show.error && !isWrong && <ErrorNote error={show.error} />}
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
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={show.isPending}>
          {t('secondFactor.goOn')}
        </Button>
      </div>
    </form>
  );
}
