import { secondFactorApi } from '@knowhow/shared/access/second-factor';
import { Problem } from '@knowhow/shared/problem';
import { Button, PasswordInput, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import list from './account-list.module.css';
import classes from './security-dialog.module.css';
import '../../ui/mantine-fields.css';
import { encode } from 'uqr';
import type { z } from 'zod';
import { OneTimeSecret } from '../../ui/forms/shown-once.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';

const stateQuery = query(secondFactorApi.get, {});

type Step =
  | { kind: 'state' }
  | { kind: 'password'; deed: 'begin' | 'off' | 'codes' }
  | { kind: 'scan'; secret: NewSecret }
  | { kind: 'codes'; codes: string[] };

/** Two-factor authentication (TOTP) of the user's own account: switch it on or off. */
export function SecondFactorPart() {
  const { t } = useTranslation();
  const headingId = useId();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: 'state' });
  const [isBack, setBack] = useState(false);
  const toState = () => {
    setBack(true);
    setStep({ kind: 'state' });
    void queryClient.invalidateQueries(stateQuery);
  };
  const showCodes = ({ recoveryCodes: codes }: { recoveryCodes: string[] }) =>
    setStep({ kind: 'codes', codes });

  async function withPassword(deed: 'begin' | 'off' | 'codes', password: string) {
    const body = { password };
    switch (deed) {
      case 'begin':
        return setStep({ kind: 'scan', secret: await call(secondFactorApi.begin, { body }) });
      case 'codes':
        return showCodes(await call(secondFactorApi.renewRecoveryCodes, { body }));
      case 'off':
        await call(secondFactorApi.remove, { body });
        return toState();
    }
  }

  return (
    <section className={classes.part} aria-labelledby={headingId}>
      {/* The buttons below it change once the new state has loaded. */}
      <h3
        id={headingId}
        ref={isBack && step.kind === 'state' ? focusHere : undefined}
        tabIndex={-1}
      >
        {t('secondFactor.title')}
      </h3>
      {step.kind === 'state' && (
        <FactorState onDeed={(deed) => setStep({ kind: 'password', deed })} />
      )}
      {step.kind === 'password' && (
        <PasswordStep
          about={t(passwordTexts[step.deed])}
          onPassword={(password) => withPassword(step.deed, password)}
          onCancel={toState}
        />
      )}
      {step.kind === 'scan' && (
        <ConfirmCode secret={step.secret} onConfirmed={showCodes} onCancel={toState} />
      )}
      {step.kind === 'codes' && <RecoveryCodes codes={step.codes} onDone={toState} />}
    </section>
  );
}

const passwordTexts = {
  begin: 'secondFactor.passwordToBegin',
  off: 'secondFactor.passwordToEnd',
  codes: 'secondFactor.passwordForCodes',
} as const;

function FactorState({ onDeed }: { onDeed: (deed: 'begin' | 'off' | 'codes') => void }) {
  const { t } = useTranslation();
  const state = useQuery({ ...stateQuery, staleTime: 0 });
  if (state.error) {
    return <ErrorNote error={state.error} onRetry={() => state.refetch()} />;
  }
  if (!state.data) {
    return (
      <div role="status" aria-label={t('state.loading')}>
        <Skeleton height={64} />
      </div>
    );
  }
  const { isOn, recoveryCodes: count } = state.data;
  return (
    <>
      <p className={list.about}>
        {isOn ? t('secondFactor.isOn', { count }) : t('secondFactor.about')}
      </p>
      <div className={classes.actions}>
        {isOn ? (
          <>
            <Button variant="default" onClick={() => onDeed('codes')}>
              {t('secondFactor.newCodes')}
            </Button>
            <Button variant="default" onClick={() => onDeed('off')}>
              {t('secondFactor.switchOff')}
            </Button>
          </>
        ) : (
          <Button onClick={() => onDeed('begin')}>{t('secondFactor.switchOn')}</Button>
        )}
      </div>
    </>
  );
}

interface PasswordStepProps {
  /** Explains why it is required. */
  about: string;
  onPassword: (password: string) => Promise<void>;
  onCancel: () => void;
}

/** Asks for the current password before a change to the user's sign-in (step-up authentication). */
function PasswordStep({ about, onPassword, onCancel }: PasswordStepProps) {
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

type NewSecret = z.output<typeof secondFactorApi.begin.response>;

interface ConfirmCodeProps {
  secret: NewSecret;
  onConfirmed: (codes: z.output<typeof secondFactorApi.confirm.response>) => void;
  onCancel: () => void;
}

/** Shows the TOTP secret, and confirms the first code. */
function ConfirmCode({ secret, onConfirmed, onCancel }: ConfirmCodeProps) {
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

/** A QR code. Always dark on light, because many cameras read nothing else. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = useMemo(() => encode(text, { ecc: 'M', border: 3 }), [text]);
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      className={classes.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className={classes.light} d={`M0 0h${size}v${size}h-${size}z`} />
      <path d={path} />
    </svg>
  );
}

/** Recovery codes, shown only once. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <OneTimeSecret
      label={t('secondFactor.recoveryCodes')}
      text={codes.join('\n')}
      about={t('secondFactor.recoveryAbout')}
      done={t('apiKeys.copied')}
      onDone={onDone}
    />
  );
}
