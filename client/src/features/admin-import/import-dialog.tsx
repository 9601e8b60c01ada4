import { Problem } from '@knowhow/shared/problem';
import type { Installed } from '@knowhow/shared/skills/skill-archives';
import { Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Bolt } from '../../ui/bolt.tsx';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { ChooseStep } from './choose-step.tsx';
import classes from './import-dialog.module.css';
import { Issues } from './issues.tsx';
import { ReadingStep } from './reading-step.tsx';
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
  const { step, address, start, startAddress, install, reset } = useImport();
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
      return (
        <ChooseStep
          isAgain={step.isAgain}
          address={address}
          onFiles={start}
          onAddress={startAddress}
        />
      );
    case 'packing':
    case 'sending':
      return <Transfer sent={step.kind === 'sending' ? step.sent : undefined} purpose="checking" />;
    case 'reading':
      return <ReadingStep progress={step.progress} onCancel={reset} />;
    case 'refused':
      return <ArchiveError error={step.error} onAgain={reset} />;
    case 'review':
      return <ReviewStep review={step} replaced={replaced} onInstall={install} onClose={onClose} />;
    case 'done':
      return <DoneStep installed={step.installed} onAgain={reset} onClose={onClose} />;
  }
}

interface DoneStepProps {
  installed: Installed['installed'];
  onAgain: () => void;
  onClose: () => void;
}

/** The result of an import, and the next steps. */
function DoneStep({ installed, onAgain, onClose }: DoneStepProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  return (
    <div className={classes.done}>
      <h3 ref={focusHere} tabIndex={-1} className={classes.doneStepTitle}>
        {t('skillImport.done', { count: installed.length })}
      </h3>
      <ul className={classes.skills}>
        {installed.map(({ name, action, off, files, bytes: size }) => (
          <li key={name}>
            <Bolt size={15} />
            <Link to={`/admin/skills/${encodeURIComponent(name)}`}>{name}</Link>
            <span>{t(actionWords[action])}</span>
            {off && <span>{t('skillImport.isOff')}</span>}
            <span className={classes.size}>
              {t('skillImport.files', { count: files })} · {bytes(size)}
            </span>
          </li>
        ))}
      </ul>
      {installed.some(({ action }) => action === 'created') && (
        <p className={classes.hint}>{t('skillImport.reachHint')}</p>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={onAgain}>
          {t('skillImport.another')}
        </Button>
        <Button onClick={onClose}>{t('action.close')}</Button>
      </div>
    </div>
  );
}

const actionWords = {
  created: 'skillImport.created',
  replaced: 'skillImport.replaced',
  unchanged: 'skillImport.unchanged',
} as const;

/** Why an archive or an address was rejected, with all issues. */
function ArchiveError({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation();
  const issues = error instanceof Problem ? (error.issues ?? []) : [];
  const isAboutAddress = issues.every(({ path }) => path === 'address');
  return (
    <div className={classes.refusal}>
      {issues.length > 0 && !isAboutAddress ? (
        <div role="alert">
          <h3 className={classes.refusalTitle}>
            {t('skillImport.refused', { count: issues.length })}
          </h3>
          <Issues issues={issues} />
        </div>
      ) : (
        <ErrorNote error={error} />
      )}
      <div className={classes.refusalActions}>
        <Button ref={focusHere} onClick={onAgain}>
          {t('skillImport.chooseOther')}
        </Button>
      </div>
    </div>
  );
}
