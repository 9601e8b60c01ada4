import { backupApi, type Snapshot } from '@knowhow/shared/config/backup';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useRight } from '../../ui/rights.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import classes from './snapshot-actions.module.css';

interface SnapshotActionsProps {
  snapshot: Snapshot;
  /** Names of its contents. */
  parts: string;
  onRestored: () => Promise<void>;
  onRemoved: () => Promise<void>;
}

/** Restores or deletes a snapshot. */
export function SnapshotActions(props: SnapshotActionsProps) {
  const { t } = useTranslation();
  const { exactDate } = useFormat();
  const mayRestore = useRight();
  const [asking, setAsking] = useState<'restore' | 'remove'>();
  const at = exactDate(props.snapshot.at);
  const close = () => setAsking(undefined);
  return (
    <div className={classes.actions}>
      {mayRestore && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('adminBackup.restoreSnapshot', { at })}
          onClick={() => setAsking('restore')}
        >
          {t('adminBackup.confirm')}
        </Button>
      )}
      <IconButton
        label={t('adminBackup.removeSnapshot', { at })}
        icon={<IconTrash size={17} />}
        onClick={() => setAsking('remove')}
      />
      <RestoreQuestion {...props} opened={asking === 'restore'} onClose={close} />
      <RemoveQuestion {...props} opened={asking === 'remove'} onClose={close} />
    </div>
  );
}

interface QuestionProps extends SnapshotActionsProps {
  opened: boolean;
  onClose: () => void;
}

function RestoreQuestion({ snapshot, parts, opened, onClose, onRestored }: QuestionProps) {
  const { t } = useTranslation();
  const { exactDate } = useFormat();
  const showUndo = useUndoToast();
  const bringBack = (id: string) => call(backupApi.restoreSnapshot, { params: { id } });
  const at = exactDate(snapshot.at);
  const restore = useMutation({
    mutationFn: () => bringBack(snapshot.id),
    onSuccess: async ({ snapshot: replaced }) => {
      onClose();
      showUndo({
        message: t('adminBackup.broughtBack', { at }),
        undo: async () => {
          await bringBack(replaced);
          await onRestored();
        },
      });
      await onRestored();
    },
  });
  return (
    <ConfirmDialog
      title={t('adminBackup.restoreSnapshot', { at })}
      opened={opened}
      onClose={() => {
        restore.reset();
        onClose();
      }}
      onConfirm={() => restore.mutate()}
      confirmLabel={t('adminBackup.confirm')}
      isBusy={restore.isPending}
      error={restore.error}
    >
      <p>{t('adminBackup.bringBackText', { parts })}</p>
      <p>{t('adminBackup.keptText')}</p>
    </ConfirmDialog>
  );
}

function RemoveQuestion({ snapshot, parts, opened, onClose, onRemoved }: QuestionProps) {
  const { t } = useTranslation();
  const { bytes, exactDate } = useFormat();
  const remove = useMutation({
    mutationFn: () => call(backupApi.removeSnapshot, { params: { id: snapshot.id } }),
    onSuccess: () => {
      onClose();
      return onRemoved();
    },
  });
  const values = { count: snapshot.files, size: bytes(snapshot.bytes), parts };
  return (
    <ConfirmDialog
      title={t('adminBackup.removeSnapshot', { at: exactDate(snapshot.at) })}
      opened={opened}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      onConfirm={() => remove.mutate()}
      confirmLabel={t('adminBackup.remove')}
      typed={t('adminBackup.removeWord')}
      isBusy={remove.isPending}
      error={remove.error}
    >
      <p>{t('adminBackup.removeText', values)}</p>
    </ConfirmDialog>
  );
}
