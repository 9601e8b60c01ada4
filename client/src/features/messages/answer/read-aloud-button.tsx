import { IconPlayerStop, IconVolume } from '@tabler/icons-react';
import { type RefObject, use, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { detectLanguage } from '../../../i18n/detect-language.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { spokenText } from '../../../ui/markdown/spoken-text.ts';
import { SpeechContext } from '../../../ui/text/speech-context.ts';

interface ReadAloudButtonProps {
  /** The rendered answer. */
  shown: RefObject<HTMLElement | null>;
}

/** Reads an answer aloud with the browser's speech synthesis, one at a time. */
export function ReadAloudButton({ shown }: ReadAloudButtonProps) {
  const { t, i18n } = useTranslation();
  const mayRead = use(SpeechContext).includes('output') && 'speechSynthesis' in window;
  const [isOn, setOn] = useState(false);
  const last = useRef<SpeechSynthesisUtterance>(undefined);
  useEffect(() => () => void (last.current && speechSynthesis.cancel()), []);
  if (!mayRead) {
    return null;
  }

  function read() {
    const sentences = shown.current ? spokenText(shown.current) : [];
    // Another answer has started: this one is notified, too.
    speechSynthesis.cancel();
    const lang = detectLanguage(sentences.join(' '), i18n.language);
    const spoken = sentences.map((sentence) => new SpeechSynthesisUtterance(sentence));
    const end = spoken.at(-1);
    if (!end) {
      return;
    }
    const done = () => {
      if (last.current === end) {
        last.current = undefined;
        setOn(false);
      }
    };
    end.onend = done;
    const voice = findLocalVoice(lang);
    for (const utterance of spoken) {
      utterance.lang = lang;
      utterance.voice = voice;
      utterance.onerror = done;
      speechSynthesis.speak(utterance);
    }
    last.current = end;
    setOn(true);
  }

  return (
    <IconButton
      label={t(isOn ? 'readAloud.stop' : 'readAloud.start')}
      icon={isOn ? <IconPlayerStop size={16} /> : <IconVolume size={16} />}
      aria-pressed={isOn}
      onClick={() => (isOn ? speechSynthesis.cancel() : read())}
    />
  );
}

/** A local voice: others send the text to the browser's vendor. Null if there is none. */
function findLocalVoice(lang: string): SpeechSynthesisVoice | null {
  const voices = speechSynthesis
    .getVoices()
    .filter((voice) => voice.localService && voice.lang.startsWith(lang.slice(0, 2)));
  return voices.find((voice) => voice.default) ?? voices[0] ?? null;
}
