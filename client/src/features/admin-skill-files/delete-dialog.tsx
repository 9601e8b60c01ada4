import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { FileTask } from './file-task.ts';
import type { FileActions } from './use-file-actions.ts';

interface DeleteDialogProps {
  task: FileTask | undefined;
  actions: FileActions;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before a file is deleted. */
export function DeleteDialog({ task, actions, onClose, onDone }: DeleteDialogProps) {
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
