import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../ui/focus/focus-here.ts';
import classes from './transfer.module.css';

interface TransferProps {
  /** Upload progress from 0 to 1; undefined while packing. */
  sent: number | undefined;
  /** The server's task after the upload. */
  purpose: 'checking' | 'installing';
}

/** Upload progress of an archive, then what the server does with it. */
export function Transfer({ sent, purpose }: TransferProps) {
  const { t } = useTranslation();
  const percent = Math.round((sent ?? 0) * 100);
  const isWaiting = sent === undefined || sent === 1;
  const work = purpose === 'checking' ? t('skillImport.checking') : t('skillImport.installing');
  const waiting = sent === undefined ? t('skillImport.packing') : work;
  const words = isWaiting ? waiting : t('skillImport.sending', { percent });
  return (
    <div className={classes.transfer}>
      <p ref={focusHere} tabIndex={-1} role="status">
        {words}
      </p>
      <Progress
        aria-label={words}
        value={isWaiting ? 100 : percent}
        animated={isWaiting}
        transitionDuration={120}
      />
    </div>
  );
}
