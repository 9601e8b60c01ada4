import { notifications } from '@mantine/notifications';
import { IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import classes from './dictate-button.module.css';
import { newRecognition } from './recognition.ts';
import { useDictation } from './use-dictation.ts';

export interface DictateButtonProps {
  text: string;
  onText: (text: string) => void;
}

const agreedKey = 'knowhow-dictation';

/** Dictates through the browser's speech recognition, after a privacy notice. */
export function DictateButton({ text, onText }: DictateButtonProps) {
  const { t, i18n } = useTranslation();
  const [isThere] = useState(() => newRecognition() !== undefined);
  const [asks, setAsks] = useState(false);
  const onError = (error: string) =>
    notifications.show({
      color: 'red',
      message: t(
        Object.hasOwn(errors, error) ? errors[error as keyof typeof errors] : 'dictation.failed',
      ),
      closeButtonProps: { 'aria-label': t('action.close') },
    });
  const { isOn, start, stop } = useDictation({ text, language: i18n.language, onText, onError });
  if (!isThere) {
    return null;
  }

  function press() {
    if (isOn) {
      stop();
    } else if (localStorage.getItem(agreedKey) === null) {
      setAsks(true);
    } else {
      start();
    }
  }

  return (
    <>
      <IconButton
        label={t(isOn ? 'dictation.stop' : 'dictation.start')}
        icon={isOn ? <IconPlayerStopFilled size={18} /> : <IconMicrophone size={18} />}
        className={isOn ? (classes.on ?? '') : ''}
        aria-pressed={isOn}
        onClick={press}
      />
      <span role="status" className={classes.state}>
        {isOn && t('dictation.listening')}
      </span>
      <ConfirmDialog
        title={t('dictation.ask')}
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => {
          localStorage.setItem(agreedKey, 'yes');
          setAsks(false);
          start();
        }}
        confirmLabel={t('dictation.agree')}
      >
        <p>{t('dictation.about')}</p>
      </ConfirmDialog>
    </>
  );
}

const errors = {
  'not-allowed': 'dictation.notAllowed',
  'service-not-allowed': 'dictation.notAllowed',
  'audio-capture': 'dictation.noMicrophone',
  'no-speech': 'dictation.nothing',
  network: 'dictation.network',
  'language-not-supported': 'dictation.language',
} as const;
