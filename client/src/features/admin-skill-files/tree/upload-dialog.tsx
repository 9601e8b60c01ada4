import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import { maxSkillFile } from '@knowhow/shared/skills/admin-skill-files';
import { Button, Modal, Progress } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from '../dialog.module.css';
import type { FileTask } from '../file-task.ts';
import type { FileActions, FileAtPath } from '../use-file-actions.ts';
import { foldersOf } from './file-rows.ts';
import { PathInput } from './path-input.tsx';
import { droppedPath } from './use-file-drop.ts';
import { validatePath } from './validate-path.ts';

interface UploadDialogProps {
  task: FileTask | undefined;
  files: readonly AdminSkillFile[];
  actions: FileActions;
  onClose: () => void;
  /** Called with the path of the first uploaded file. */
  onDone: (path: string) => void;
}

/** Previews the selected files, then uploads them. */
export function UploadDialog({ task, onClose, ...rest }: UploadDialogProps) {
  const { t } = useTranslation();
  const isAsked = task?.kind === 'upload';
  return (
    <Modal
      opened={isAsked}
      onClose={onClose}
      title={isAsked ? t('skillFiles.uploadTitle', { count: task.files.length }) : undefined}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
      size="lg"
    >
      {isAsked && <UploadForm task={task} onClose={onClose} {...rest} />}
    </Modal>
  );
}

type UploadTask = Extract<FileTask, { kind: 'upload' }>;

function UploadForm({
  task,
  files,
  actions,
  onClose,
  onDone,
}: UploadDialogProps & { task: UploadTask }) {
  const { t } = useTranslation();
  const [folder, setFolder] = useState(task.folder);
  const [progress, setProgress] = useState(0);
  const target = folder.trim().replace(/^\/+|\/+$/g, '');
  const wanted = task.files.map((file): WantedFile => {
    const path = target === '' ? droppedPath(file) : `${target}/${droppedPath(file)}`;
    const isReplacing = files.some((known) => known.path === path);
    const fault = isReplacing ? undefined : validatePath(path, files);
    const isTooLarge = file.size > maxSkillFile;
    return { file, path, isReplacing, isTooLarge, fault };
  });
  const taken = wanted.filter(({ fault, isTooLarge }) => !fault && !isTooLarge);
  const uploading = useMutation({
    mutationFn: () => actions.put(taken, setProgress),
    onSuccess: () => {
      onClose();
      onDone(taken[0]?.path ?? '');
    },
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    uploading.mutate();
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <PathInput
        label={t('skillFiles.folder')}
        description={t('skillFiles.folderHint')}
        value={folder}
        onChange={setFolder}
        proposals={foldersOf(files)}
      />
      <WantedFiles wanted={wanted} />
      {uploading.isPending && (
        <Progress value={progress * 100} aria-label={t('skillFiles.uploading')} />
      )}
      {uploading.error && <ErrorNote error={uploading.error} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={uploading.isPending} disabled={taken.length === 0}>
          {t('skillFiles.uploadCount', { count: taken.length })}
        </Button>
      </div>
    </form>
  );
}

interface WantedFile extends FileAtPath {
  isReplacing: boolean;
  isTooLarge: boolean;
  fault: ReturnType<typeof validatePath>;
}

/** The target path of each file, and its problem. */
function WantedFiles({ wanted }: { wanted: WantedFile[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul className={classes.files}>
      {wanted.map(({ file, path, isReplacing, isTooLarge, fault }) => (
        <li key={path}>
          <span className={classes.name}>{path}</span>
          <span className={classes.size}>{format.bytes(file.size)}</span>
          {isReplacing && <p className={classes.diagnostic}>{t('skillFiles.replaces')}</p>}
          {isTooLarge && (
            <p className={classes.diagnostic} data-refused>
              {t('skillFiles.tooLarge', { most: format.bytes(maxSkillFile) })}
            </p>
          )}
          {fault && (
            <p className={classes.diagnostic} data-refused>
              {t(fault)}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
