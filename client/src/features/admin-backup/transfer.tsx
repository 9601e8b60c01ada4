import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './transfer.module.css';

interface TransferProps {
  file: File;
  /** From 0 to 1. */
  sent: number;
  /** A dry run. */
  isChecking?: boolean;
  /** Omitted if it cannot be aborted. */
  onCancel?: () => void;
}

/** Upload progress of a backup, then what the server does with it. */
export function Transfer({ file, sent, isChecking = false, onCancel }: TransferProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const percent = Math.floor(sent * 100);
  const isAllSent = sent === 1;
  const amount = { percent, sent: bytes(sent * file.size), size: bytes(file.size) };
  const work = t(isChecking ? 'adminBackup.checking' : 'adminBackup.restoring');
  const words = isAllSent ? work : t('adminBackup.sending', amount);
  return (
    <div className={classes.transfer}>
      <p ref={focusHere} tabIndex={-1} className={classes.file}>
        {file.name}
      </p>
      <p role="status">{words}</p>
      <Progress
        aria-label={words}
        value={isAllSent ? 100 : percent}
        animated={isAllSent}
        transitionDuration={120}
      />
      {onCancel && (
        <Button className={classes.cancel} variant="default" size="xs" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
      )}
    </div>
  );
}
