import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { ChooseStep } from './choose-step.tsx';
import { DoneStep } from './done-step.tsx';
import classes from './import-dialog.module.css';
import { ArchiveError } from './refusal.tsx';
import { ReviewStep } from './review-step.tsx';
import { Transfer } from './transfer.tsx';
import { useImport } from './use-import.ts';

interface ImportDialogProps {
  opened: boolean;
  /** Files dropped on the page; other files start a new import. */
  files: SelectedFile[] | undefined;
  /** The skill whose page started the import: replacing it is suggested. */
  replaced?: string;
  onClose: () => void;
}

/** Installs skills from an archive: first a preview, then a selection. */
export function ImportDialog({ opened, files, replaced, onClose }: ImportDialogProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const [isBusy, setBusy] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('skillImport.title')}
      size={780}
      fullScreen={isPhone}
      // A click outside would discard the decisions.
      closeOnClickOutside={false}
      closeOnEscape={!isBusy}
      closeButtonProps={{ 'aria-label': t('action.close'), disabled: isBusy }}
      classNames={{ content: classes.content, header: classes.header, body: classes.body }}
    >
      <ImportSteps files={files} replaced={replaced} onClose={onClose} onBusy={setBusy} />
    </Modal>
  );
}

interface ImportStepsProps extends Omit<ImportDialogProps, 'opened' | 'replaced'> {
  replaced: string | undefined;
  /** Called while something is being written, which cannot be aborted. */
  onBusy: (isBusy: boolean) => void;
}

function ImportSteps({ files, replaced, onClose, onBusy }: ImportStepsProps) {
  const { step, start, install, reset } = useImport();
  const isBusy = step.kind === 'review' && step.installing !== undefined;

  useEffect(() => onBusy(isBusy), [onBusy, isBusy]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other files are the occasion
  useEffect(() => {
    if (files && !isBusy) {
      void start(files);
    }
  }, [files]);

  switch (step.kind) {
    case 'choose':
      return <ChooseStep isAgain={step.isAgain} onFiles={start} />;
    case 'packing':
    case 'sending':
      return <Transfer sent={step.kind === 'sending' ? step.sent : undefined} purpose="checking" />;
    case 'refused':
      return <ArchiveError error={step.error} onAgain={reset} />;
    case 'review':
      return <ReviewStep review={step} replaced={replaced} onInstall={install} onClose={onClose} />;
    case 'done':
      return <DoneStep installed={step.installed} onAgain={reset} onClose={onClose} />;
  }
}
