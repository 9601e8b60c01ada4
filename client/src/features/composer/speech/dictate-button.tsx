import { notifications } from '@mantine/notifications';
import { IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import classes from './dictate-button.module.css';
import { newRecognition, type Recognition, spokenTag } from './recognition.ts';

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

interface DictationOptions {
  text: string;
  language: string;
  onText: (text: string) => void;
  /** Called with the browser's error code. */
  onError: (error: string) => void;
}

/**
 * Appends dictated text while the user speaks. Ends when the user stops it, edits or sends the text, or when the
 * browser ends the recognition.
 */
function useDictation({ text, language, onText, onError }: DictationOptions) {
  /** The current dictation and the texts it has written: any other text comes from the user. */
  const running = useRef<{ recognition: Recognition; written: Set<string> }>(undefined);
  const write = useRef(onText);
  const [isOn, setOn] = useState(false);

  function start() {
    const recognition = newRecognition();
    if (!recognition) {
      return;
    }
    const before = text === '' || /\s$/.test(text) ? text : `${text} `;
    const run = { recognition, written: new Set([text]) };
    recognition.lang = spokenTag(language);
    recognition.continuous = true;
    recognition.interimResults = true;
    recognition.onresult = ({ results }) => {
      const said = Array.from(results, (result) => result[0]?.transcript ?? '').join('');
      const now = before + said.trimStart();
      run.written.delete(text);
      run.written.add(now);
      write.current(now);
    };
    recognition.onerror = ({ error }) => error !== 'aborted' && onError(error);
    recognition.onend = () => {
      running.current = undefined;
      setOn(false);
    };
    running.current = run;
    setOn(true);
    recognition.start();
  }

  useEffect(() => {
    write.current = onText;
  });
  useEffect(() => {
    const run = running.current;
    if (run && !run.written.has(text)) {
      run.recognition.onresult = null;
      run.recognition.abort();
    }
  }, [text]);
  useEffect(() => () => running.current?.recognition.abort(), []);

  return { isOn, start, stop: () => running.current?.recognition.stop() };
}
