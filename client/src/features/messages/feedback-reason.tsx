import type { Feedback } from '@knowhow/shared/conversations';
import { Button } from '@mantine/core';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isComposing } from '../../ui/is-composing.ts';
import { useAutosize } from '../../ui/use-autosize.ts';
import classes from './feedback-reason.module.css';

interface FeedbackReasonProps {
  feedback: Feedback;
  onSend: (reason: string) => void;
  onClose: () => void;
}

/** Asks, without insisting, why an answer is good or bad. */
export function FeedbackReason({ feedback, onSend, onClose }: FeedbackReasonProps) {
  const { t } = useTranslation();
  const hint = useId();
  const [reason, setReason] = useState(feedback.reason ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field, reason);
  const isEmpty = reason.trim() === '';
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isEmpty) {
      onSend(reason.trim());
    }
  };
  return (
    <form className={classes.form} onSubmit={send}>
      <textarea
        ref={field}
        rows={1}
        maxLength={2000}
        aria-label={t(feedback.value === 'up' ? 'feedback.whyUp' : 'feedback.whyDown')}
        aria-describedby={hint}
        placeholder={t(feedback.value === 'up' ? 'feedback.whyUp' : 'feedback.whyDown')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            onClose();
          }
          if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) {
            event.preventDefault();
            send();
          }
        }}
      />
      <div className={classes.row}>
        <p id={hint}>{t('feedback.hint')}</p>
        <Button variant="default" size="xs" onClick={onClose}>
          {t('feedback.skip')}
        </Button>
        <Button type="submit" size="xs" disabled={isEmpty}>
          {t('feedback.send')}
        </Button>
      </div>
    </form>
  );
}
