import { Problem } from '@knowhow/shared/problem';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './sign-in-form.module.css';

interface SignInCodeProps {
  onCode: (code: string) => Promise<void>;
  onSignedIn: () => void;
  onCancel: () => void;
}

/** The second step of a sign-in: a TOTP code or a recovery code. */
export function SignInCode({ onCode, onSignedIn, onCancel }: SignInCodeProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const attempt = useMutation({ mutationFn: onCode, onSuccess: onSignedIn });
  const isWrong = attempt.error instanceof Problem && attempt.error.code === 'wrong-code';

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    attempt.mutate(code);
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {attempt.error && !isWrong && <ErrorNote error={attempt.error} />}
      <TextInput
        label={t('secondFactor.code')}
        description={t('secondFactor.signInAbout')}
        error={isWrong && t(wrongText(attempt.variables))}
        required
        withAsterisk={false}
        autoFocus
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={attempt.isPending} fullWidth>
        {t('account.signIn')}
      </Button>
      <Button variant="subtle" onClick={onCancel} fullWidth>
        {t('action.cancel')}
      </Button>
    </form>
  );
}

/** The app shows digits only, and then another code; recovery codes have letters. */
function wrongText(code = '') {
  return /[^\d\s]/.test(code) ? 'secondFactor.recoveryIsWrong' : 'secondFactor.codeIsWrong';
}
