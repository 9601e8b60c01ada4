import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface EndShareDialogProps {
  opened: boolean;
  /** ID of the conversation. */
  title: string;
  end: { isPending: boolean; error: Error | null; mutate: () => void };
  onClose: () => void;
}

/** Asks before the link of a conversation is disabled. */
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
