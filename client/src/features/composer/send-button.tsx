import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';

interface SendButtonProps {
  /** Whether an answer is being written, so that the button stops it. */
  busy: boolean;
  disabled: boolean;
  onSend: () => void;
  onStop: () => void;
}

export function SendButton({ busy, disabled, onSend, onStop }: SendButtonProps) {
  const { t } = useTranslation();
  if (busy) {
    return (
      <IconButton
        label={t('composer.stop')}
        icon={<IconPlayerStopFilled size={16} />}
        variant="filled"
        color="petrol"
        size={36}
        disabled={disabled}
        onClick={onStop}
      />
    );
  }
  return (
    <IconButton
      label={t('composer.send')}
      icon={<IconArrowUp size={20} />}
      variant="filled"
      color="petrol"
      size={36}
      disabled={disabled}
      onClick={onSend}
    />
  );
}
