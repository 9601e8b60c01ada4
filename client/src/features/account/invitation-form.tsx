import { invitationsApi } from '@knowhow/shared/access/invitations';
import { Problem } from '@knowhow/shared/problem';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { accountFault } from '../../ui/text/account-fault.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import list from './account-list.module.css';
import classes from './sign-in-form.module.css';

interface InvitationFormProps {
  token: string;
  passwordMinLength: number;
  /** Called if the invitation has become invalid since the page was opened. */
  onInvalid: () => void;
}

/** The name, user name and password of an invited user. */
export function InvitationForm({ token, passwordMinLength, onInvalid }: InvitationFormProps) {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () => call(invitationsApi.accept, { body: { token, username, name, password } }),
    // Signed in: clears all data of the previous user.
    onSuccess: () => window.location.replace('/'),
    onError: (error) => isInvalidInvitation(error) && onInvalid(),
  });
  const code = accept.error instanceof Problem ? accept.error.code : undefined;
  const fault = accountFault(accept.error);
  const usernameFault =
    code === 'name-taken' ? 'problem.nameTaken' : fault === 'problem.username' && fault;
  const passwordFault = fault !== 'problem.username' && fault;

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    accept.mutate();
  }

  const field = { required: true, withAsterisk: false, maxLength: 200 };
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <p className={list.about}>{t('invitation.about')}</p>
      {accept.error && !usernameFault && !passwordFault && <ErrorNote error={accept.error} />}
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
        error={usernameFault && t(usernameFault)}
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
        error={passwordFault && t(passwordFault)}
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

/** Whether an invitation has expired or was used or revoked, or its creator may no longer invite. */
export function isInvalidInvitation(error: unknown): boolean {
  return error instanceof Problem && ['not-found', 'forbidden'].includes(error.code);
}
