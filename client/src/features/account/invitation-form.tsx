import { invitationsApi } from '@knowhow/shared/access/invitations';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import list from './account-list.module.css';
import classes from './sign-in-form.module.css';

interface InvitationFormProps {
  token: string;
  passwordMinLength: number;
}

/** The name, user name and password of an invited user. */
export function InvitationForm({ token, passwordMinLength }: InvitationFormProps) {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () => call(invitationsApi.accept, { body: { token, username, name, password } }),
    // Signed in: clears all data of the previous user.
    onSuccess: () => window.location.replace('/'),
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    accept.mutate();
  }

  const field = { required: true, withAsterisk: false, maxLength: 200 };
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <p className={list.about}>{t('invitation.about')}</p>
      {accept.error && <ErrorNote error={accept.error} />}
      <TextInput
        {...field}
        label={t('invitation.name')}
        autoComplete="name"
        autoFocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        {...field}
        label={t('account.username')}
        description={t('invitation.usernameAbout')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordInput
        {...field}
        maxLength={1000}
        label={t('account.password')}
        description={t('account.newPasswordAbout', { count: passwordMinLength })}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={accept.isPending} fullWidth>
        {t('invitation.accept')}
      </Button>
    </form>
  );
}
