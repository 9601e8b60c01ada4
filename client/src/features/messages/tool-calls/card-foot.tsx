import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import type { Reply } from './use-reply.ts';
import classes from './waiting-card.module.css';

interface CardFootProps {
  reply: Pick<Reply<never>, 'state' | 'error'>;
  /** ISO 8601, UTC. */
  expiresAt: string;
  /** The buttons. */
  children: ReactNode;
}

/** The buttons of an open card, then its outcome. */
export function CardFoot({ reply, expiresAt, children }: CardFootProps) {
  const { t } = useTranslation();
  const seconds = useSecondsLeft(expiresAt);
  const { state, error } = reply;
  if (state === 'gone') {
    return (
      <p className={classes.note} role="alert">
        {t('toolCall.gone')}
      </p>
    );
  }
  return (
    <div className={classes.foot}>
      {error !== null && error !== undefined && <ErrorNote error={error} />}
      <fieldset className={classes.actions} disabled={state !== 'open'}>
        {children}
      </fieldset>
      {state === 'given' && (
        <p className={classes.note} role="status">
          {t('toolCall.decided')}
        </p>
      )}
      {state === 'open' && seconds !== undefined && (
        <p className={classes.note} role="timer">
          {t('toolCall.secondsLeft', { count: seconds })}
        </p>
      )}
    </div>
  );
}

/** Threshold of the countdown, in seconds. */
const lastMinute = 60;

/** Seconds until a moment (ISO 8601), during the last minute; undefined before. */
function useSecondsLeft(moment: string): number | undefined {
  const [left, setLeft] = useState(() => secondsUntil(moment));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(moment)), 1000);
    return () => clearInterval(timer);
  }, [moment]);
  return left < lastMinute ? left : undefined;
}

function secondsUntil(moment: string): number {
  return Math.max(0, Math.round((Date.parse(moment) - Date.now()) / 1000));
}
