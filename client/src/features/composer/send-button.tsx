import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './composer.module.css';

interface SendButtonProps {
  /** Whether an answer is being written: it can be stopped, and new messages are queued. */
  busy: boolean;
  /** Whether a stop is already pending. */
  stopping: boolean;
  /** Whether there is nothing to send. */
  disabled: boolean;
  onSend: () => void;
  onStop: () => void;
}

export function SendButton({ busy, stopping, disabled, onSend, onStop }: SendButtonProps) {
  const { t } = useTranslation();
  const look = { color: 'petrol', size: 36 };
  const send = (
    <IconButton
      {...look}
      label={t(busy ? 'composer.sendNext' : 'composer.send')}
      icon={<IconArrowUp size={20} />}
      variant={busy ? 'light' : 'filled'}
      disabled={disabled}
      onClick={onSend}
    />
  );
  if (!busy) {
    return send;
  }
  return (
    <div className={classes.tools}>
      {!disabled && send}
      <IconButton
        {...look}
        label={t('composer.stop')}
        icon={<IconPlayerStopFilled size={16} />}
        variant="filled"
        disabled={stopping}
        onClick={onStop}
      />
    </div>
  );
}
