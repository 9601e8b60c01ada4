import { Problem } from '@knowhow/shared/problem';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './sign-in-form.module.css';
import { useSignIn } from './use-me.ts';

const SignInCode = lazyPart(async () => (await import('./sign-in-code.tsx')).SignInCode);

interface SignInFormProps {
  onSignedIn: () => void;
  /** Whether it is the first element, without other sign-in options above it. */
  isFirst: boolean;
}

export function SignInForm({ onSignedIn, isFirst }: SignInFormProps) {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useSignIn();
  const attempt = useMutation({
    mutationFn: () => signIn(username, password),
    onSuccess: onSignedIn,
    onError: (error) => !requiresSecondFactor(error) && setPassword(''),
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    attempt.mutate();
  }

  if (requiresSecondFactor(attempt.error)) {
    return (
      <Suspense>
        <SignInCode
          onCode={(code) => signIn(username, password, code)}
          onSignedIn={onSignedIn}
          onCancel={() => {
            setPassword('');
            attempt.reset();
          }}
        />
      </Suspense>
    );
  }
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {attempt.error && <ErrorNote error={attempt.error} />}
      <TextInput
        label={t('account.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        autoFocus={isFirst}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordInput
        label={t('account.password')}
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
      />
      <Button type="submit" loading={attempt.isPending} fullWidth>
        {t('account.signIn')}
      </Button>
    </form>
  );
}

/** The password is correct, but the account also requires a second factor. */
function requiresSecondFactor(error: unknown): boolean {
  return error instanceof Problem && error.code === 'second-factor-required';
}
