import { useEffect, useRef, useState } from 'react';
import { newRecognition, type Recognition, spokenTag } from './recognition.ts';

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
export function useDictation({ text, language, onText, onError }: DictationOptions) {
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
