import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import classes from '../dialog.module.css';
import type { FileTask } from '../file-task.ts';
import type { FileActions } from '../use-file-actions.ts';
import { foldersOf } from './file-rows.ts';
import { PathInput } from './path-input.tsx';
import { validatePath } from './validate-path.ts';

interface PathDialogProps {
  task: FileTask | undefined;
  files: readonly AdminSkillFile[];
  actions: FileActions;
  onClose: () => void;
  /** Called with the new path. */
  onDone: (path: string) => void;
}

/** Asks for the path of a new file, or a new path of an existing one. */
export function PathDialog({ task, onClose, ...rest }: PathDialogProps) {
  const { t } = useTranslation();
  const isAsked = task?.kind === 'add' || task?.kind === 'move';
  return (
    <Modal
      opened={isAsked}
      onClose={onClose}
      title={task?.kind === 'move' ? t('skillFiles.moveTitle') : t('skillFiles.addTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      {isAsked && <PathForm task={task} onClose={onClose} {...rest} />}
    </Modal>
  );
}

type PathTask = Extract<FileTask, { kind: 'add' | 'move' }>;

function PathForm({ task, files, actions, onClose, onDone }: PathDialogProps & { task: PathTask }) {
  const { t } = useTranslation();
  const from = task.kind === 'move' ? task.path : undefined;
  const [path, setPath] = useState(task.kind === 'move' ? task.path : getInitialPath(task.folder));
  const [isTried, setTried] = useState(false);
  const fault = validatePath(
    path.trim(),
    files.filter((file) => file.path !== from),
  );
  const writing = useMutation({
    mutationFn: async (to: string) => {
      await (from === undefined ? actions.add(to) : actions.move(from, to));
      return to;
    },
    onSuccess: (to) => {
      onClose();
      onDone(to);
    },
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    setTried(true);
    if (path.trim() === from) {
      onClose();
    } else if (!fault) {
      writing.mutate(path.trim());
    }
  }

  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <PathInput
        label={t('skillFiles.path.label')}
        description={t('skillFiles.path.hint')}
        error={isTried && fault ? t(fault) : undefined}
        value={path}
        onChange={setPath}
        proposals={foldersOf(files).map(getInitialPath)}
      />
      {writing.error && <ErrorNote error={writing.error} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={writing.isPending}>
          {from === undefined ? t('skillFiles.add') : t('skillFiles.move')}
        </Button>
      </div>
    </form>
  );
}

function getInitialPath(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}
