import { Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasTouchKeyboard } from '../../ui/focus/has-touch-keyboard.ts';
import { isComposing } from '../../ui/focus/is-composing.ts';
import { useAutosize } from '../../ui/use-autosize.ts';
import classes from './message-form.module.css';

interface MessageFormProps {
  /** The field's label; with a placeholder, the question. */
  label: string;
  text: string;
  hint: string;
  cancel: string;
  submit: string;
  maxLength?: number;
  /** Unprompted: a single line that explains its purpose, without taking the focus. */
  isOffered?: boolean;
  onCancel: () => void;
  /** Never called with an empty text. */
  onSubmit: (text: string) => void;
}

/** A text form among the messages: Enter submits (not on a touch keyboard), Escape cancels. */
export function MessageForm({ label, hint, cancel, submit, onCancel, ...props }: MessageFormProps) {
  const { isOffered = false, maxLength, onSubmit } = props;
  const { t } = useTranslation();
  const [text, setText] = useState(props.text);
  const hintId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '';
  useAutosize(field, text);
  useEffect(() => {
    if (!isOffered) {
      field.current?.focus();
      field.current?.setSelectionRange(-1, -1);
    }
  }, [isOffered]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      onCancel();
    }
    const isEnter = event.key === 'Enter' && !event.shiftKey && !hasTouchKeyboard();
    if (isEnter && !isComposing(event)) {
      event.preventDefault();
      if (!isEmpty) {
        onSubmit(text);
      }
    }
  }

  return (
    <div className={classes.form} data-offered={isOffered || undefined}>
      <textarea
        ref={field}
        {...(isOffered ? { rows: 1, placeholder: label } : {})}
        {...(maxLength === undefined ? {} : { maxLength })}
        aria-label={label}
        aria-describedby={hintId}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.row}>
        <p id={hintId} role="status">
          {maxLength !== undefined && text.length >= maxLength
            ? t('state.limitReached', { count: maxLength })
            : !hasTouchKeyboard() && hint}
        </p>
        <Button variant="default" size="xs" onClick={onCancel}>
          {cancel}
        </Button>
        <Button size="xs" onClick={() => onSubmit(text)} disabled={isEmpty}>
          {submit}
        </Button>
      </div>
    </div>
  );
}
