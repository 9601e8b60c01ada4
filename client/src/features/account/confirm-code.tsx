import { secondFactorApi } from '@knowhow/shared/access/second-factor';
import { Problem } from '@knowhow/shared/problem';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';
import { QrCode } from './qr-code.tsx';

export type NewSecret = z.output<typeof secondFactorApi.begin.response>;

interface ConfirmCodeProps {
  secret: NewSecret;
  onConfirmed: (codes: z.output<typeof secondFactorApi.confirm.response>) => void;
  onCancel: () => void;
}

/** Shows the TOTP secret, and confirms the first code. */
export function ConfirmCode({ secret, onConfirmed, onCancel }: ConfirmCodeProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => call(secondFactorApi.confirm, { body: { code } }),
    onSuccess: onConfirmed,
  });
  const isWrong = confirm.error instanceof Problem && confirm.error.code === 'wrong-code';

  return (
    <DialogForm
      about={t('secondFactor.scan')}
      error={isWrong ? null : confirm.error}
      isBusy={confirm.isPending}
      submitLabel={t('secondFactor.switchOn')}
      onSubmit={() => confirm.mutate()}
      onCancel={onCancel}
    >
      <QrCode text={secret.uri} label={t('secondFactor.qrCode')} />
      <TextBlock
        label={t('secondFactor.byHand')}
        text={secret.secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}
      />
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
    </DialogForm>
  );
}
