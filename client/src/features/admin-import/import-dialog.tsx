import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { ChooseStep } from './choose-step.tsx';
import { DoneStep } from './done-step.tsx';
import classes from './import-dialog.module.css';
import { Refusal } from './refusal.tsx';
import { ReviewStep } from './review-step.tsx';
import { Transfer } from './transfer.tsx';
import { useImport } from './use-import.ts';

interface ImportDialogProps {
  opened: boolean;
  /** What was dropped on the page; other files begin another import. */
  files: SelectedFile[] | undefined;
  /** The skill from whose page the import began: replacing it is proposed. */
  replaced?: string;
  onClose: () => void;
}

/** Installs skills of an archive: first it is looked into, then one decides what to take. */
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
      // A click beside it would throw away what was decided.
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
  /** Called when something is being written, which cannot be broken off. */
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
      return <Refusal error={step.error} onAgain={reset} />;
    case 'review':
      return <ReviewStep review={step} replaced={replaced} onInstall={install} onClose={onClose} />;
    case 'done':
      return <DoneStep installed={step.installed} onAgain={reset} onClose={onClose} />;
  }
}
