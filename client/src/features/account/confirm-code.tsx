import { Problem } from '@knowhow/shared/problem';
import { secondFactorApi } from '@knowhow/shared/second-factor';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';
import list from './account-list.module.css';
import classes from './api-keys-dialog.module.css';
import { QrCode } from './qr-code.tsx';

export type NewSecret = z.output<typeof secondFactorApi.begin.response>;

interface ConfirmCodeProps {
  secret: NewSecret;
  onConfirmed: (codes: z.output<typeof secondFactorApi.confirm.response>) => void;
  onCancel: () => void;
}

/** Hands the secret to an app of codes, and takes the first code of it. */
export function ConfirmCode({ secret, onConfirmed, onCancel }: ConfirmCodeProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => call(secondFactorApi.confirm, { body: { code } }),
    onSuccess: onConfirmed,
  });
  const isWrong = confirm.error instanceof Problem && confirm.error.code === 'wrong-code';

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    confirm.mutate();
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <p className={list.about}>{t('secondFactor.scan')}</p>
      <QrCode text={secret.uri} label={t('secondFactor.qrCode')} />
      <TextBlock
        label={t('secondFactor.byHand')}
        text={secret.secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}
      />
      {confirm.error && !isWrong && <ErrorNote error={confirm.error} />}
      <TextInput
        label={t('secondFactor.code')}
        description={t('secondFactor.codeAbout')}
        error={isWrong && t('secondFactor.codeIsWrong')}
        required
        withAsterisk={false}
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={confirm.isPending}>
          {t('secondFactor.switchOn')}
        </Button>
      </div>
    </form>
  );
}
