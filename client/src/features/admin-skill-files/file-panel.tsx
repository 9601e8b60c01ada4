import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import { maxVersionMessage } from '@knowhow/shared/skills/version-message';
import { Button, Menu, SegmentedControl, TextInput } from '@mantine/core';
import {
  IconArrowBackUp,
  IconDots,
  IconDownload,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import type { EditedSkill } from './draft/edited-skill.ts';
import classes from './file-panel.module.css';
import type { FileTask } from './file-task.ts';
import { hasPreview } from './preview.tsx';
import { SavedFile, skillFileUrl } from './saved-file.tsx';
import { type FileView, TextFile } from './text-file.tsx';
import { isSkillFile } from './tree/file-rows.ts';
import type { FileDrafts } from './use-drafts.ts';
import type { Saving } from './use-save.ts';

interface FilePanelProps {
  skill: EditedSkill;
  files: readonly AdminSkillFile[];
  /** The path of the open file. */
  open: string;
  /** The path of `SKILL.md`. */
  main: string;
  drafts: FileDrafts;
  saving: Saving;
  onOpen: (path: string) => void;
  onTask: (task: FileTask) => void;
}

/** The open file. Other changed files stay mounted but hidden, with their undo history. */
export function FilePanel(props: FilePanelProps) {
  const { skill, files, open, main, drafts, saving, onOpen, onTask } = props;
  const { t } = useTranslation();
  const [view, setView] = useState<FileView>('both');
  const file = files.find(({ path }) => path === open);
  const texts = files.filter(
    ({ path, kind }) => kind === 'text' && (path === open || drafts.all[path]),
  );

  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <h2 className={classes.path}>{open}</h2>
        {file?.executable && <span className={classes.fact}>{t('skillFiles.executable')}</span>}
        {drafts.all[open] && <span className={classes.unsaved}>{t('skillFiles.unsaved')}</span>}
        <div className={classes.actions}>
          {file?.kind === 'text' && hasPreview(open) && (
            <ViewSwitch view={view} canWrite={skill.writable} onChange={setView} />
          )}
          {file && <FileMenu skill={skill} file={file} drafts={drafts} onTask={onTask} />}
          {skill.writable && <SaveButtons skill={skill} drafts={drafts} saving={saving} />}
        </div>
      </div>
      {skill.writable && !skill.savesDraft && drafts.paths.length > 0 && (
        <TextInput
          className={classes.message}
          size="xs"
          label={t('skillFiles.message')}
          placeholder={t('skillFiles.messageHint')}
          maxLength={maxVersionMessage}
          value={saving.message}
          onChange={(event) => saving.setMessage(event.currentTarget.value)}
        />
      )}
      {saving.error && (
        <div className={classes.error}>
          <ErrorNote error={saving.error} />
        </div>
      )}
      {texts.map((text) => (
        <div key={text.path} hidden={text.path !== open}>
          <TextFile skill={skill} file={text} drafts={drafts} view={view} onOpen={onOpen} />
        </div>
      ))}
      {file && file.kind !== 'text' && <SavedFile skill={skill} file={file} />}
      {!file && (
        <EmptyState
          title={t('skillFiles.missing')}
          text={t('skillFiles.missingText', { path: open })}
        >
          <Button variant="default" onClick={() => onOpen(main)}>
            {t('skillFiles.openMain', { path: main })}
          </Button>
        </EmptyState>
      )}
    </div>
  );
}

/** Saves the changes, or stores them as a draft. */
function SaveButtons({
  skill,
  drafts,
  saving,
}: Pick<FilePanelProps, 'skill' | 'drafts' | 'saving'>) {
  const { t } = useTranslation();
  const { paths } = drafts;
  const state = { size: 'xs', disabled: paths.length === 0 } as const;
  if (skill.savesDraft) {
    return (
      <Button {...state} loading={saving.isSaving} onClick={saving.save}>
        {skill.draft ? t('skillDraft.save') : t('skillDraft.saveAs')}
      </Button>
    );
  }
  return (
    <>
      <Button
        {...state}
        variant="default"
        disabled={state.disabled || saving.isSaving}
        onClick={saving.saveAsDraft}
      >
        {t('skillDraft.saveAs')}
      </Button>
      <Button {...state} loading={saving.isSaving} onClick={saving.save}>
        {t('skillFiles.saveAll', { count: Math.max(paths.length, 1) })}
      </Button>
    </>
  );
}

interface ViewSwitchProps {
  view: FileView;
  canWrite: boolean;
  onChange: (view: FileView) => void;
}

function ViewSwitch({ view, canWrite, onChange }: ViewSwitchProps) {
  const { t } = useTranslation();
  const write = { value: 'write', label: canWrite ? t('skillFiles.write') : t('skillFiles.text') };
  const both = { value: 'both', label: t('skillFiles.both') };
  const preview = { value: 'preview', label: t('skillFiles.preview') };
  return (
    <>
      <SegmentedControl
        className={classes.wide}
        classNames={{ label: classes.choice }}
        size="xs"
        aria-label={t('skillFiles.view')}
        data={[write, both, preview]}
        value={view}
        onChange={(value) => onChange(value as FileView)}
      />
      <SegmentedControl
        className={classes.narrow}
        classNames={{ label: classes.choice }}
        size="xs"
        aria-label={t('skillFiles.view')}
        data={[write, preview]}
        value={view === 'both' ? 'write' : view}
        onChange={(value) => onChange(value as FileView)}
      />
    </>
  );
}

interface FileMenuProps {
  skill: EditedSkill;
  file: AdminSkillFile;
  drafts: FileDrafts;
  onTask: (task: FileTask) => void;
}

/** Actions for the open file. `SKILL.md` cannot be renamed or moved. */
function FileMenu({ skill, file: { path }, drafts, onTask }: FileMenuProps) {
  const { t } = useTranslation();
  const showUndo = useUndoToast();
  const draft = drafts.all[path];
  const isMovable = skill.writable && !isSkillFile(path);

  function discard() {
    if (draft) {
      drafts.discard(path);
      showUndo({
        message: t('skillFiles.discarded', { path }),
        undo: () => drafts.put(path, draft),
      });
    }
  }

  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <IconButton
          label={t('skillFiles.actions', { path })}
          icon={<IconDots size={18} />}
          aria-haspopup="menu"
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={skillFileUrl(skill, path)}
          download={path.split('/').at(-1)}
          leftSection={<IconDownload size={16} />}
        >
          {t('skillFiles.download')}
        </Menu.Item>
        {draft && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={discard}>
            {t('skillFiles.discard')}
          </Menu.Item>
        )}
        {isMovable && (
          <>
            <Menu.Item
              leftSection={<IconPencil size={16} />}
              onClick={() => onTask({ kind: 'move', path })}
            >
              {t('skillFiles.move')}
            </Menu.Item>
            <Menu.Item
              className={classes.delete}
              leftSection={<IconTrash size={16} />}
              onClick={() => onTask({ kind: 'delete', path })}
            >
              {t('skillFiles.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
