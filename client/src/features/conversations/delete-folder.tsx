import type { Folder } from '@knowhow/shared/chat/folders';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useChangeFolder } from './use-change-folder.ts';

/** Asks before a folder is deleted; its conversations are kept. */
export function DeleteFolder({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { t } = useTranslation();
  const { name, conversations: count } = folder;
  const { remove } = useChangeFolder(name);
  return (
    <ConfirmDialog
      title={t('folders.deleteTitle', { name })}
      opened
      onClose={onClose}
      onConfirm={() => {
        onClose();
        remove();
      }}
      confirmLabel={t('folders.delete')}
    >
      <p>{t('folders.deleteText', { count })}</p>
    </ConfirmDialog>
  );
}
