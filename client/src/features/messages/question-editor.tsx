import { Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isComposing } from '../../ui/is-composing.ts';
import { useAutosize } from '../../ui/use-autosize.ts';
import classes from './question-editor.module.css';

interface QuestionEditorProps {
  text: string;
  onCancel: () => void;
  onSubmit: (text: string) => void;
}

/** Changes a message that was sent; sending it again takes the place of all that followed. */
export function QuestionEditor({ text, onCancel, onSubmit }: QuestionEditorProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field, value);

  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(-1, -1);
  }, []);

  function submit() {
    if (value.trim() !== '') {
      onSubmit(value);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      onCancel();
    }
    if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) {
      event.preventDefault();
      submit();
    }
  }

  return (
    <div className={classes.editor}>
      <textarea
        ref={field}
        aria-label={t('question.editLabel')}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.row}>
        <p>{t('question.editHint')}</p>
        <Button variant="default" size="xs" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button size="xs" onClick={submit} disabled={value.trim() === ''}>
          {t('question.resend')}
        </Button>
      </div>
    </div>
  );
}
