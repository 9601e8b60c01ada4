import { Problem } from '@knowhow/shared/problem';
import { type Installed, maxSkillUpload } from '@knowhow/shared/skills/skill-archives';
import { Button, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFileZip, IconFolder } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Bolt } from '../../ui/bolt.tsx';
import { chosenFiles, type SelectedFile } from '../../ui/files/selected-files.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './import-dialog.module.css';
import { Issues } from './issues.tsx';
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

interface ChooseStepProps {
  /** After a previous import: the dialog has been open before. */
  isAgain: boolean;
  onFiles: (files: SelectedFile[]) => void;
}

/** Selects an import: dropped, or chosen as files or a folder. */
function ChooseStep({ isAgain, onFiles }: ChooseStepProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);

  function take(input: HTMLInputElement) {
    const files = chosenFiles(input.files);
    // So that the same file can be chosen again after a change.
    input.value = '';
    if (files.length > 0) {
      onFiles(files);
    }
  }

  return (
    <div className={classes.area}>
      {/* Not a button: it would receive the key press that led here. */}
      <p ref={isAgain ? focusHere : undefined} tabIndex={-1} className={classes.title}>
        {t('skillImport.dropTitle')}
      </p>
      <p>{t('skillImport.formats', { most: bytes(maxSkillUpload) })}</p>
      <input
        ref={fileInput}
        type="file"
        hidden
        aria-label={t('skillImport.chooseFile')}
        accept=".zip,.skill,.gz,.tgz,.json,.md"
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={(input) => {
          folderInput.current = input;
          input?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        hidden
        aria-label={t('skillImport.chooseFolder')}
        onChange={(event) => take(event.currentTarget)}
      />
      <div className={classes.buttons}>
        <Button
          data-autofocus
          leftSection={<IconFileZip size={17} aria-hidden />}
          onClick={() => fileInput.current?.click()}
        >
          {t('skillImport.chooseFile')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconFolder size={17} aria-hidden />}
          onClick={() => folderInput.current?.click()}
        >
          {t('skillImport.chooseFolder')}
        </Button>
      </div>
    </div>
  );
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

/** Why an archive was rejected, with all issues. */
function ArchiveError({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation();
  const issues = error instanceof Problem ? (error.issues ?? []) : [];
  return (
    <div className={classes.refusal}>
      {issues.length > 0 ? (
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
