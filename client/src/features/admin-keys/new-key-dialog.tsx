import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextBlock } from '../../ui/text/text-block.tsx';
import classes from './admin-keys.module.css';
import { type MadeKey, NewKeyForm } from './new-key-form.tsx';

interface NewKeyDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Makes a key for a program that works for nobody, and shows it once. */
export function NewKeyDialog({ opened, onClose }: NewKeyDialogProps) {
  const { t } = useTranslation();
  const [made, setMade] = useState<MadeKey>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      // Whoever clicks beside the dialog would lose a key that is shown once.
      closeOnClickOutside={false}
      title={t('adminKeys.new')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      {made ? (
        <div className={classes.form}>
          <TextBlock label={t('adminKeys.made', { name: made.details.name })} text={made.key} />
          <p className={classes.about}>{t('adminKeys.once')}</p>
          <div className={classes.actions}>
            <Button onClick={close} data-autofocus>
              {t('adminKeys.copied')}
            </Button>
          </div>
        </div>
      ) : (
        <NewKeyForm onMade={setMade} onCancel={close} />
      )}
    </Modal>
  );
}
