import { secondFactorApi } from '@knowhow/shared/access/second-factor';
import { Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import list from './account-list.module.css';
import { ConfirmCode, type NewSecret } from './confirm-code.tsx';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import classes from './security-dialog.module.css';

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
