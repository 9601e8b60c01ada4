import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface EndShareDialogProps {
  opened: boolean;
  /** Of the conversation. */
  title: string;
  end: { isPending: boolean; error: Error | null; mutate: () => void };
  onClose: () => void;
}

/** Asks before the link to a conversation is ended. */
export function EndShareDialog({ opened, title, end, onClose }: EndShareDialogProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      opened={opened}
      title={t('share.endAsk', { title })}
      confirmLabel={t('share.end')}
      isBusy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      {t('share.endAbout')}
    </ConfirmDialog>
  );
}
