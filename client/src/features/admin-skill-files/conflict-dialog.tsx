import { Button, Modal } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TwoVersions } from '../../ui/files/two-versions.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './conflict-dialog.module.css';
import { withDraft, withoutDraft } from './file-drafts.ts';
import type { Conflict } from './save-drafts.ts';
import type { FileDrafts } from './use-drafts.ts';
import type { Saving } from './use-save.ts';

interface ConflictDialogProps {
  conflict: Conflict;
  drafts: FileDrafts;
  saving: Saving;
}

/** Conflict: shows another user's version next to ours, and asks which to keep. */
export function ConflictDialog({ conflict, drafts, saving }: ConflictDialogProps) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const { path, mine, theirs, skill } = conflict;

  function keepMine() {
    const draft = { base: theirs ?? '', text: mine, checksum: skill.checksum };
    drafts.put(path, draft);
    saving.saveAs(withDraft(drafts.all, path, draft));
  }

  function takeTheirs() {
    drafts.discard(path);
    saving.saveAs(withoutDraft(drafts.all, path));
  }

  return (
    <Modal
      opened
      onClose={saving.closeConflict}
      title={t('skillFiles.conflict.title', { path })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="min(72rem, 96vw)"
      centered
    >
      <p className={classes.text}>
        {theirs === undefined ? t('skillFiles.conflict.deleted') : t('skillFiles.conflict.text')}
      </p>
      <TwoVersions mine={mine} theirs={theirs} />
      {saving.error && <ErrorNote error={saving.error} />}
      <div className={classes.actions}>
        <Button
          variant="subtle"
          leftSection={isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copyText(mine).then(() => setCopied(true))}
        >
          {isCopied ? t('action.copied') : t('skillFiles.conflict.copyMine')}
        </Button>
        <Button variant="default" onClick={takeTheirs}>
          {t('skillFiles.conflict.takeTheirs')}
        </Button>
        <Button variant="default" loading={saving.isSaving} onClick={keepMine}>
          {t('skillFiles.conflict.keepMine')}
        </Button>
      </div>
    </Modal>
  );
}
