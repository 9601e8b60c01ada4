import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FileDrop } from '../../ui/files/file-drop.tsx';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { Section } from '../../ui/layout/section.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { ChooseBackup } from './choose-backup.tsx';
import { RestoreError } from './refusal.tsx';
import { RestoreResult } from './restore-result.tsx';
import { RestoreReview } from './restore-review.tsx';
import classes from './transfer.module.css';
import { useRestore } from './use-restore.ts';

interface RestoreSectionProps {
  /** A restore is in progress on the server, started by any user. */
  isElsewhere: boolean;
  onRestored: () => Promise<void>;
}

/** Restores a backup: first a preview, then a confirmation. */
export function RestoreSection({ isElsewhere, onRestored }: RestoreSectionProps) {
  const { t } = useTranslation();
  const restoring = useRestore(onRestored);
  const { step, choose } = restoring;
  // Another file must not replace the one being restored.
  const takesFiles = step.kind !== 'restoring';
  return (
    <Section title={t('adminBackup.restore')} text={t('adminBackup.restoreText')}>
      <Step {...restoring} isElsewhere={isElsewhere} onRestored={onRestored} />
      {takesFiles && (
        <FileDrop
          title={t('adminBackup.dropTitle')}
          text={t('adminBackup.dropText')}
          onFiles={choose}
        />
      )}
    </Section>
  );
}

type StepProps = RestoreSectionProps & ReturnType<typeof useRestore>;

function Step({ step, choose, plan, restore, reset, isElsewhere, onRestored }: StepProps) {
  switch (step.kind) {
    case 'choose':
      return <ChooseBackup isAgain={step.isAgain} isElsewhere={isElsewhere} onFiles={choose} />;
    case 'checking':
      return <Transfer file={step.file} sent={step.sent} isChecking onCancel={reset} />;
    case 'restoring':
      return <Transfer file={step.file} sent={step.sent} />;
    case 'refused':
      return <RestoreError error={step.error} onAgain={reset} />;
    case 'review':
      return (
        <RestoreReview
          review={step.review}
          error={step.error}
          onPlan={plan}
          onRestore={restore}
          onCancel={reset}
        />
      );
    case 'done':
      return (
        <RestoreResult
          plan={step.plan}
          snapshot={step.snapshot}
          onRestored={onRestored}
          onAgain={reset}
        />
      );
  }
}

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
function Transfer({ file, sent, isChecking = false, onCancel }: TransferProps) {
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
