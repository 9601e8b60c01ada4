import type { AdminSkillDetail, AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import type { SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import { Button, Modal, Skeleton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TwoVersions } from '../../ui/files/two-versions.tsx';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { useSkillRight } from '../../ui/rights.ts';
import { copyText } from '../../ui/text/copy-text.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useUnsavedWarning } from '../../ui/use-unsaved-warning.tsx';
import { DraftBar } from './draft/draft-bar.tsx';
import {
  type EditedSkill,
  editNewDraft,
  editPublished,
  withDraft as withDraftFiles,
} from './draft/edited-skill.ts';
import { draftQuery, useSkillDraft } from './draft/use-skill-draft.ts';
import { withDraft, withoutDraft } from './file-drafts.ts';
import { FilePanel } from './file-panel.tsx';
import type { FileTask } from './file-task.ts';
import type { Conflict } from './save-drafts.ts';
import classes from './skill-files.module.css';
import { isSkillFile } from './tree/file-rows.ts';
import { FileSidebar } from './tree/file-sidebar.tsx';
import { PathDialog } from './tree/path-dialog.tsx';
import { UploadDialog } from './tree/upload-dialog.tsx';
import { type FileDrafts, useDrafts } from './use-drafts.ts';
import { type FileActions, useFileActions } from './use-file-actions.ts';
import { type Saving, useSave } from './use-save.ts';

interface SkillFilesProps {
  skill: AdminSkillDetail;
  /** The open file; `SKILL.md` by default. */
  path: string | undefined;
  onOpen: (path: string) => void;
  /** Called with the skill after each write. */
  onChanged: (skill: AdminSkillDetail) => void;
}

/** All files of a skill or of its draft, editable if the skill is writable. */
export function SkillFiles({ skill: shown, onChanged, ...rest }: SkillFilesProps) {
  const { t } = useTranslation();
  const mayWrite = useSkillRight('author', shown.category);
  const skill = useMemo(
    () => ({ ...shown, writable: shown.writable && mayWrite }),
    [shown, mayWrite],
  );
  const queryClient = useQueryClient();
  const { draft, error, isPending, mayPublish, retry } = useSkillDraft(skill);
  const edited = useMemo(
    () =>
      draft
        ? withDraftFiles(editPublished(skill), draft)
        : { ...editPublished(skill), savesDraft: !mayPublish },
    [skill, draft, mayPublish],
  );
  if (error) {
    return <ErrorNote error={error} onRetry={retry} />;
  }
  if (isPending) {
    return <Skeleton height={320} radius={8} />;
  }

  function change(changed: EditedSkill) {
    if (changed.draft) {
      queryClient.setQueryData(draftQuery(skill.name).queryKey, changed.draft);
    } else if (changed.published) {
      onChanged(changed.published);
    }
  }

  return (
    <>
      {draft && <DraftBar skill={skill} draft={draft} />}
      {!draft && !mayPublish && skill.writable && (
        <p className={classes.policy}>{t('skillDraft.required')}</p>
      )}
      <Files key={skill.name} {...rest} skill={edited} onChanged={change} />
    </>
  );
}

type NewDraftProps = Pick<SkillFilesProps, 'path' | 'onOpen'> & { draft: SkillDraft };

/** The files of the draft of a skill that is not published. */
export function NewDraftFiles({ draft, ...rest }: NewDraftProps) {
  const queryClient = useQueryClient();
  const edited = useMemo(() => editNewDraft(draft), [draft]);
  return (
    <>
      <DraftBar skill={edited} draft={draft} />
      <Files
        key={draft.skill}
        {...rest}
        skill={edited}
        onChanged={(changed) =>
          queryClient.setQueryData(draftQuery(draft.skill).queryKey, changed.draft ?? null)
        }
      />
    </>
  );
}

interface FilesProps extends Omit<SkillFilesProps, 'skill' | 'onChanged'> {
  skill: EditedSkill;
  onChanged: (skill: EditedSkill) => void;
}

function Files({ skill: given, path, onOpen, onChanged }: FilesProps) {
  const [skill, change] = useNewestSkill(given, onChanged);
  const drafts = useDrafts(skill.name);
  const saving = useSave({ skill, drafts, onChanged: change });
  const actions = useFileActions({ skill, drafts, onChanged: change });
  const [task, setTask] = useState<FileTask>();
  useFocusBack(saving.conflict !== undefined);
  const guard = useRef<LeaveGuardHandle>(null);
  const files = addDeletedDrafts(skill.fileList, drafts);
  const main = files.find((file) => isSkillFile(file.path))?.path ?? 'SKILL.md';
  const opened = path ?? main;
  useSaveKey(saving.save);

  function open(next: string) {
    if (next !== path) {
      guard.current?.letGo();
      onOpen(next);
    }
  }

  const done = () => setTask(undefined);
  return (
    <div className={classes.area}>
      {drafts.areOld && <RestoredDraftsNote drafts={drafts} />}
      <div className={classes.files}>
        <FileSidebar
          skill={skill}
          files={files}
          open={opened}
          unsaved={drafts.paths}
          onOpen={open}
          onTask={setTask}
        />
        <FilePanel
          skill={skill}
          files={files}
          open={opened}
          main={main}
          drafts={drafts}
          saving={saving}
          onOpen={open}
          onTask={setTask}
        />
      </div>
      {drafts.paths.length > 0 && <LeaveGuard key={path} ref={guard} />}
      <PathDialog task={task} files={files} actions={actions} onClose={done} onDone={open} />
      <UploadDialog task={task} files={files} actions={actions} onClose={done} onDone={open} />
      <DeleteDialog task={task} actions={actions} onClose={done} onDone={() => open(main)} />
      {saving.conflict && (
        <ConflictDialog conflict={saving.conflict} drafts={drafts} saving={saving} />
      )}
    </div>
  );
}

/** The files, including those that were deleted while they were edited here. */
function addDeletedDrafts(files: readonly AdminSkillFile[], { all }: FileDrafts): AdminSkillFile[] {
  const known = new Set(files.map(({ path }) => path));
  const orphans = Object.entries(all).filter(([path]) => !known.has(path));
  return [
    ...files,
    ...orphans.map(([path, { text }]): AdminSkillFile => {
      return { path, size: text.length, executable: false, kind: 'text' };
    }),
  ];
}

interface LeaveGuardHandle {
  /** Lets the next navigation pass without asking. */
  letGo: () => void;
}

/** Asks before the page is left. Each open file has a guard; its URLs count as the same page. */
function LeaveGuard({ ref }: { ref: Ref<LeaveGuardHandle> }) {
  const { question, letGo } = useUnsavedWarning(true);
  useImperativeHandle(ref, () => ({ letGo }));
  return question;
}

/** Reports restored drafts, and offers to discard them. */
function RestoredDraftsNote({ drafts }: { drafts: FileDrafts }) {
  const { t } = useTranslation();
  return (
    <div className={classes.note} role="status">
      <p>{t('skillFiles.oldDrafts', { count: drafts.paths.length, path: drafts.paths[0] })}</p>
      <Button variant="default" size="xs" onClick={drafts.accept}>
        {t('skillFiles.keepDrafts')}
      </Button>
      <Button variant="subtle" size="xs" onClick={drafts.discardAll}>
        {t('skillFiles.discardDrafts')}
      </Button>
    </div>
  );
}

interface DeleteDialogProps {
  task: FileTask | undefined;
  actions: FileActions;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before a file is deleted. */
function DeleteDialog({ task, actions, onClose, onDone }: DeleteDialogProps) {
  const { t } = useTranslation();
  const path = task?.kind === 'delete' ? task.path : '';
  const removing = useMutation({
    mutationFn: () => actions.remove(path),
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  return (
    <ConfirmDialog
      title={t('skillFiles.deleteTitle')}
      opened={task?.kind === 'delete'}
      onClose={() => {
        removing.reset();
        onClose();
      }}
      onConfirm={removing.mutate}
      confirmLabel={t('skillFiles.delete')}
      error={removing.error}
      isBusy={removing.isPending}
    >
      <p>{t('skillFiles.deleteText', { path })}</p>
    </ConfirmDialog>
  );
}

interface ConflictDialogProps {
  conflict: Conflict;
  drafts: FileDrafts;
  saving: Saving;
}

/** Conflict: shows another user's version next to ours, and asks which to keep. */
function ConflictDialog({ conflict, drafts, saving }: ConflictDialogProps) {
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

/**
 * The given skill, or the result of our own last write if that is newer. The given one may be updated a moment
 * later, and the page must not fall back to old data meanwhile.
 */
function useNewestSkill(
  given: EditedSkill,
  onChanged: (skill: EditedSkill) => void,
): [EditedSkill, (changed: EditedSkill) => void] {
  const [known, setKnown] = useState({ given, newest: given });
  if (known.given !== given) {
    setKnown({ given, newest: given });
  }

  function change(changed: EditedSkill) {
    setKnown((before) => ({ ...before, newest: changed }));
    onChanged(changed);
  }

  return [known.given === given ? known.newest : given, change];
}

/** Saves with Ctrl S or ⌘ S, wherever the focus is. */
function useSaveKey(save: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (isCommand && event.key.toLowerCase() === 's') {
      event.preventDefault();
      save();
    }
  });

  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
