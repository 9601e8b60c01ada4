import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OneTimeSecret, type ShownOnceProps } from './shown-once.tsx';

interface MakeDialogProps<Made> {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** The form that creates it. */
  form: (onMade: (made: Made) => void, onCancel: () => void) => ReactNode;
  /** The secret, shown once. */
  shown: (made: Made) => Omit<ShownOnceProps, 'onDone'>;
}

/** Creates a secret and shows it once. */
export function MakeDialog<Made>({ opened, onClose, title, form, shown }: MakeDialogProps<Made>) {
  const { t } = useTranslation();
  const [made, setMade] = useState<Made>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      // A click outside the dialog would lose a secret that is shown once.
      closeOnClickOutside={false}
      title={title}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      {made === undefined ? (
        form(setMade, close)
      ) : (
        <OneTimeSecret {...shown(made)} onDone={close} />
      )}
    </Modal>
  );
}
