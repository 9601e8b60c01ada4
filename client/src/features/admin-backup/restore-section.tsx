import { backupApi, maxBackupUpload, type RestorePlan } from '@knowhow/shared/config/backup';
import { Button, Progress } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconFileZip } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { FileDrop } from '../../ui/files/file-drop.tsx';
import { chosenFiles, type SelectedFile } from '../../ui/files/selected-files.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { PlanSummary } from './plan-summary.tsx';
import { RestoreError } from './refusal.tsx';
import { RestoreReview } from './restore-review.tsx';
import ownClasses from './restore-section.module.css';
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

interface ChooseBackupProps {
  /** After a previous restore: the focus was in the removed element. */
  isAgain: boolean;
  isElsewhere: boolean;
  onFiles: (files: SelectedFile[]) => void;
}

function ChooseBackup({ isAgain, isElsewhere, onFiles }: ChooseBackupProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={ownClasses.area}>
      <p className={ownClasses.title}>{t('adminBackup.dropTitle')}</p>
      <p>{t('adminBackup.formats', { most: bytes(maxBackupUpload) })}</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('adminBackup.chooseFile')}
        accept=".zip"
        onChange={({ currentTarget }) => {
          const files = chosenFiles(currentTarget.files);
          // So that the same file can be chosen again after a change.
          currentTarget.value = '';
          if (files.length > 0) {
            onFiles(files);
          }
        }}
      />
      <Button
        ref={isAgain ? focusHere : undefined}
        className={ownClasses.button}
        variant="default"
        leftSection={<IconFileZip size={17} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t('adminBackup.chooseFile')}
      </Button>
      <p role="status">{isElsewhere && t('adminBackup.elsewhere')}</p>
    </div>
  );
}

interface RestoreResultProps {
  plan: RestorePlan;
  snapshot: string | undefined;
  onRestored: () => Promise<void>;
  onAgain: () => void;
}

/** The result of a restore, with undo. */
function RestoreResult({ plan, snapshot, onRestored, onAgain }: RestoreResultProps) {
  const { t } = useTranslation();
  const undo = useMutation({
    mutationFn: (id: string) => call(backupApi.restoreSnapshot, { params: { id } }),
    onSuccess: onRestored,
  });
  const title = undo.isSuccess ? 'adminBackup.undone' : 'adminBackup.done';
  return (
    <div className={ownClasses.result}>
      {/* A new element after undo, so that screen readers announce it. */}
      <h3 key={title} ref={focusHere} tabIndex={-1} className={ownClasses.restoreResultTitle}>
        <IconCheck className={ownClasses.icon} size={18} aria-hidden />
        {t(title)}
      </h3>
      {!undo.isSuccess && <PlanSummary plan={plan} />}
      <p className={ownClasses.text}>
        {t(undo.isSuccess ? 'adminBackup.undoneText' : 'adminBackup.doneText')}{' '}
        <a href="#snapshots">{t('adminBackup.toSnapshots')}</a>
      </p>
      {undo.error && <ErrorNote error={undo.error} />}
      <div className={ownClasses.actions}>
        {snapshot !== undefined && !undo.isSuccess && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={17} aria-hidden />}
            loading={undo.isPending}
            onClick={() => undo.mutate(snapshot)}
          >
            {t('action.undo')}
          </Button>
        )}
        <Button variant="default" disabled={undo.isPending} onClick={onAgain}>
          {t('adminBackup.another')}
        </Button>
      </div>
    </div>
  );
}
