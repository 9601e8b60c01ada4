import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { Revision } from '@knowhow/shared/skills/skill-history';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { WriteError } from '../write-error.tsx';
import { useRestore } from './use-restore.ts';

interface RestoreDialogProps {
  skill: AdminSkillDetail;
  revision: Revision;
  opened: boolean;
  onClose: () => void;
  onRestored: () => void;
}

export function RestoreDialog(props: RestoreDialogProps) {
  const { skill, revision, opened, onClose, onRestored } = props;
  const { t } = useTranslation();
  const { date } = useFormat();
  const { number, at } = revision;
  const restoreState = useRestore(skill.name);
  const restore = useMutation({
    mutationFn: () => restoreState({ revision: number, ifMatch: skill.checksum }),
    onSuccess: () => {
      onClose();
      onRestored();
      notifications.show({
        message: t('skillPage.restored', { number }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
    },
  });

  function close() {
    restore.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      title={t('skillPage.restoreTitle', { number })}
      opened={opened}
      onClose={close}
      onConfirm={() => restore.mutate()}
      confirmLabel={t('skillPage.restore')}
      isBusy={restore.isPending}
    >
      <p>{t('skillPage.restoreText', { date: date(at) })}</p>
      {restore.error && <WriteError error={restore.error} onReloaded={restore.reset} />}
    </ConfirmDialog>
  );
}
