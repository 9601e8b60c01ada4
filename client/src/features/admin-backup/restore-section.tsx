import { useTranslation } from 'react-i18next';
import { FileDrop } from '../../ui/files/file-drop.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ChooseBackup } from './choose-backup.tsx';
import { RestoreError } from './refusal.tsx';
import { RestoreResult } from './restore-result.tsx';
import { RestoreReview } from './restore-review.tsx';
import { Transfer } from './transfer.tsx';
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
