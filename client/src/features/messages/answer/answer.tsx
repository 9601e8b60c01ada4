import type { Activation } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { Feedback } from '@knowhow/shared/chat/feedback';
import { memo, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../../ui/layout/expander.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import classes from './answer.module.css';
import { AnswerBody, AnswerSkill, type AnyAnswer } from './answer-body.tsx';
import { AnswerDoing, AnswerHead } from './answer-head.tsx';
import { otherActivations } from './answer-parts.ts';

const AnswerActions = lazyPart(async () => (await import('./answer-actions.tsx')).AnswerActions);
const AnswerNote = lazyPart(async () => (await import('./answer-note.tsx')).AnswerNote);
const LineSwitch = lazyPart(async () => (await import('../branch-switch.tsx')).BranchSwitch);

interface AnswerProps {
  answer: AnyAnswer;
  modelName: string;
  /** Active skills. */
  activeSkills: Activation[];
  onEndSkill?: (name: string) => void;
  /** The user message that it answers. */
  question?: string;
  isLast?: boolean;
  /** Retries it, also with another model; undefined, like the rest, in a read-only view. */
  onRetry?: (id: string, model?: string) => void;
  /** Asks the model to continue it. */
  onGoOn?: (message: string) => void;
  onFeedback?: (id: string, feedback: Feedback | undefined) => void;
  /** Shows the trace; undefined if the reader has no access to it. */
  onTrace?: ((id: string) => void) | undefined;
}

export const Answer = memo(function Answer(props: AnswerProps) {
  const { answer, question = '', activeSkills, onEndSkill, onRetry, onFeedback, onTrace } = props;
  const { t } = useTranslation();
  const running = answer.status === 'running';
  const isActive = (skill: string) => activeSkills.some(({ name }) => name === skill);
  const shown = useRef<HTMLElement>(null);
  return (
    <article
      ref={shown}
      id={answer.id}
      className={classes.answer}
      aria-label={t('answer.label')}
      aria-busy={running}
      data-earlier={!props.isLast || undefined}
    >
      <p className={classes.model}>{props.modelName}</p>
      <AnswerHead ended={answer.ended} notices={answer.notices} />
      {otherActivations(answer).map((activation) => (
        <AnswerSkill key={activation.name} {...{ answer, activation, isActive, onEndSkill }} />
      ))}
      {answer.thinking && (
        <Expander summary={t('answer.thinking')}>
          <p className={classes.thinking}>
            <PlainText text={answer.thinking} />
          </p>
        </Expander>
      )}
      <AnswerBody {...{ answer, isActive, onEndSkill }} />
      {running && answer.doing && <AnswerDoing doing={answer.doing} />}
      {!running && !isComplete(answer) && (
        <Suspense>
          <AnswerNote
            answer={answer}
            onRetry={onRetry && (() => onRetry(answer.id))}
            onGoOn={props.isLast ? props.onGoOn : undefined}
          />
        </Suspense>
      )}
      {answer.lines && (
        <Suspense>
          <LineSwitch lines={answer.lines} question={question} />
        </Suspense>
      )}
      {!running && (
        <Suspense fallback={<div className={classes.actions} />}>
          <AnswerActions
            answer={answer}
            shown={shown}
            isLast={props.isLast === true}
            onRetry={onRetry}
            onFeedback={onFeedback}
            onTrace={onTrace}
          />
        </Suspense>
      )}
    </article>
  );
});

/** Whether it ended normally, without a note. */
function isComplete({ status, finishReason = 'stop' }: AssistantMessage): boolean {
  return status === 'complete' && finishReason === 'stop';
}
