import { Button, Modal } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../ui/copy-text.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { ScrollingGroup } from '../../ui/scrolling-group.tsx';
import { changedLines } from './changed-lines.ts';
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

/** Shows what somebody else made of a file, beside what was made of it here, and asks which to keep. */
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
      <Versions mine={mine} theirs={theirs} />
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

function Versions({ mine, theirs = '' }: { mine: string; theirs: string | undefined }) {
  const { t } = useTranslation();
  const { firstLine, before, one, other, after } = changedLines(theirs, mine);
  const shared = { firstLine, before, after };
  return (
    <div className={classes.versions}>
      <Version {...shared} title={t('skillFiles.conflict.theirs')} lines={one} />
      <Version {...shared} title={t('skillFiles.conflict.mine')} lines={other} />
    </div>
  );
}

interface VersionProps {
  title: string;
  firstLine: number;
  before: string[];
  lines: string[];
  after: string[];
}

function Version({ title, firstLine, before, lines, after }: VersionProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.version}>
      <h3>{title}</h3>
      <ScrollingGroup className={classes.scroller} label={title}>
        <ol className={classes.lines} start={firstLine}>
          {[...before, ...lines, ...after].map((line, index) => {
            const isOwn = index >= before.length && index < before.length + lines.length;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is what stands at its position
              <li key={index} data-own={isOwn || undefined}>
                {isOwn ? <mark>{line || ' '}</mark> : line || ' '}
              </li>
            );
          })}
        </ol>
        {lines.length === 0 && <p className={classes.none}>{t('skillFiles.conflict.none')}</p>}
      </ScrollingGroup>
    </section>
  );
}
