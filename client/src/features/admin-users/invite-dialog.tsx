import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextBlock } from '../../ui/text/text-block.tsx';
import { InviteForm, type MadeInvitation } from './invite-form.tsx';
import classes from './user-dialog.module.css';

interface InviteDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Makes a link by which somebody makes an account of their own, and shows it once. */
export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  const { t } = useTranslation();
  const [made, setMade] = useState<MadeInvitation>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      // Whoever clicks beside the dialog would lose a link that is shown once.
      closeOnClickOutside={false}
      title={t('adminUsers.invite')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      {made ? (
        <div className={classes.form}>
          <TextBlock
            label={t('adminUsers.inviteLink', { name: made.details.note })}
            text={location.origin + made.path}
          />
          <p className={classes.about}>{t('adminUsers.inviteOnce')}</p>
          <Button onClick={close} data-autofocus>
            {t('adminUsers.done')}
          </Button>
        </div>
      ) : (
        <InviteForm onMade={setMade} onCancel={close} />
      )}
    </Modal>
  );
}
