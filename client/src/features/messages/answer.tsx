import type { Activation } from '@knowhow/shared/chat';
import type { AssistantMessage, Feedback } from '@knowhow/shared/conversations';
import { memo, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../ui/expander.tsx';
import { Markdown } from '../../ui/markdown/lazy-markdown.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import classes from './answer.module.css';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerHead } from './answer-head.tsx';
import { AnswerNote } from './answer-note.tsx';

interface AnswerProps {
  answer: AssistantMessage;
  modelName: string;
  /** Active skills. */
  activeSkills: Activation[];
  onEndSkill: (name: string) => void;
  /** Undefined where it cannot be tried again. */
  onRetry?: () => void;
  onFeedback: (id: string, feedback: Feedback | undefined) => void;
  /** Shows what the model saw for it; undefined where the reader may not see that. */
  onTrace?: ((id: string) => void) | undefined;
}

export const Answer = memo(function Answer(props: AnswerProps) {
  const { answer, modelName, activeSkills, onEndSkill, onRetry, onFeedback, onTrace } = props;
  const { t } = useTranslation();
  const running = answer.status === 'running';
  return (
    <article className={classes.answer} aria-label={t('answer.label')} aria-busy={running}>
      <AnswerHead
        id={answer.id}
        ended={answer.ended}
        notices={answer.notices}
        doing={running ? answer.doing : undefined}
        activations={answer.activations}
        toolCalls={answer.toolCalls}
        activeSkills={activeSkills}
        onEndSkill={onEndSkill}
      />
      {answer.thinking && (
        <Expander summary={t('answer.thinking')}>
          <p className={classes.thinking}>
            <PlainText text={answer.thinking} />
          </p>
        </Expander>
      )}
      {(answer.content || running) && (
        <Suspense
          fallback={
            <p className={classes.plain}>
              <PlainText text={answer.content} />
            </p>
          }
        >
          <Markdown text={answer.content} streaming={running} />
        </Suspense>
      )}
      <AnswerNote answer={answer} onRetry={onRetry} />
      {!running && (
        <AnswerActions
          answer={answer}
          modelName={modelName}
          onRetry={onRetry}
          onFeedback={onFeedback}
          onTrace={onTrace}
        />
      )}
    </article>
  );
});
