import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { Button } from '@mantine/core';
import { IconPlayerTrackNext, IconRefresh } from '@tabler/icons-react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { ThreadStateContext } from '../thread-state.ts';
import classes from './answer-note.module.css';

interface AnswerNoteProps {
  answer: AssistantMessage;
  onRetry: (() => void) | undefined;
  /** Undefined if the conversation has already continued. */
  onGoOn: ((message: string) => void) | undefined;
}

/** How an answer ended abnormally: stopped, failed, interrupted, or too long. */
export function AnswerNote({ answer, onRetry, onGoOn }: AnswerNoteProps) {
  const { t } = useTranslation();
  const { busy } = useContext(ThreadStateContext);
  const retry = !busy && onRetry && (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconRefresh size={15} aria-hidden />}
      onClick={onRetry}
    >
      {t('action.retry')}
    </Button>
  );
  if (answer.status === 'failed') {
    const reason = answer.error?.reason;
    return (
      <ErrorNote error={answer.error}>
        {reason && <p className={classes.reason}>{t('answer.providerSaid', { reason })}</p>}
        {retry}
      </ErrorNote>
    );
  }
  const key = noteKey(answer);
  return (
    key && (
      <div className={classes.note}>
        <span>{t(key)}</span>
        {onGoOn && !busy && answer.content !== '' && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlayerTrackNext size={15} aria-hidden />}
            onClick={() => onGoOn(t('again.goOnMessage'))}
          >
            {t('again.goOn')}
          </Button>
        )}
        {(endedEarly(answer) || answer.content === '') && retry}
      </div>
    )
  );
}

/** Whether an answer is incomplete, so that its note offers a retry. */
export function endedEarly({ status }: AssistantMessage): boolean {
  return status === 'stopped' || status === 'interrupted' || status === 'failed';
}

function noteKey({ status, finishReason }: AssistantMessage) {
  if (status === 'stopped') {
    return 'answer.stopped';
  }
  if (status === 'interrupted') {
    return 'answer.interrupted';
  }
  if (finishReason === 'length') {
    return 'answer.length';
  }
  return finishReason === 'tool-limit' ? 'answer.toolLimit' : undefined;
}
