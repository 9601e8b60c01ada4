import type { Activation, WorkCode } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { Feedback } from '@knowhow/shared/chat/feedback';
import type { SharedAnswer } from '@knowhow/shared/chat/sharing';
import { IconLoader2 } from '@tabler/icons-react';
import { memo, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../../ui/layout/expander.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { loadTexts } from '../../../ui/loading/load-texts.ts';
import { Markdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import { SkillCard } from '../activation-card.tsx';
import { filesRead } from '../describe-tool-call.ts';
import lines from '../tool-call-line.module.css';
import classes from './answer.module.css';
import { type AnswerPart, answerParts, otherActivations } from './answer-parts.ts';

/** Work in progress before an answer continues. */
function AnswerDoing({ doing }: { doing: WorkCode }) {
  const { t } = useTranslation();
  return (
    <p className={lines.sentence}>
      <IconLoader2 className={lines.turning} size={15} aria-hidden />
      <span>{t(doingKeys[doing])}</span>
    </p>
  );
}

const doingKeys = {
  'choosing-skills': 'notice.choosingSkills',
  summarising: 'notice.summarising',
} as const satisfies Record<WorkCode, string>;

const AnswerHead = lazyPart(async () => (await import('./answer-head.tsx')).AnswerHead);
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
      {(answer.ended.length > 0 || answer.notices) && (
        <Suspense>
          <AnswerHead ended={answer.ended} notices={answer.notices} />
        </Suspense>
      )}
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
            activeSkills={activeSkills}
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

const AnswerCall = lazyPart(async () => {
  const [{ AnswerCall: Call }] = await Promise.all([
    import('./answer-call.tsx'),
    loadTexts('tools'),
  ]);
  return Call;
});

/** From the reader's own conversation, or a shared one. */
type AnyAnswer = AssistantMessage & Pick<SharedAnswer, 'instructions'>;

interface AnswerBodyProps {
  answer: AnyAnswer;
  isActive: (skill: string) => boolean;
  onEndSkill: ((name: string) => void) | undefined;
}

/** The text of an answer, with tool calls and activations in chronological order. */
function AnswerBody({ answer, isActive, onEndSkill }: AnswerBodyProps) {
  const running = answer.status === 'running';
  const parts = answerParts(answer);
  const last = parts.at(-1);
  const isWriting = last?.type === 'text' && last.isLast;
  return (
    <>
      {groupParts(parts).map(([first, ...others]) =>
        first.type === 'text' ? (
          <AnswerText key={first.key} text={first.text} streaming={running && first.isLast} />
        ) : (
          <div className={lines.calls} key={first.key}>
            {[first, ...others].map((part) =>
              part.type === 'skill' ? (
                <AnswerSkill
                  key={part.key}
                  activation={part.activation}
                  {...{ answer, isActive, onEndSkill }}
                />
              ) : (
                part.type === 'call' && (
                  <Suspense key={part.key}>
                    <AnswerCall messageId={answer.id} part={part} />
                  </Suspense>
                )
              ),
            )}
          </div>
        ),
      )}
      {running && !isWriting && <AnswerText text="" streaming />}
    </>
  );
}

function AnswerSkill({
  answer,
  activation,
  isActive,
  onEndSkill,
}: AnswerBodyProps & { activation: Activation }) {
  const { name } = activation;
  return (
    <SkillCard
      activation={activation}
      files={filesRead(answer.toolCalls, name)}
      instructions={answer.instructions?.[name]}
      onEnd={isActive(name) ? () => onEndSkill?.(name) : undefined}
    />
  );
}

function AnswerText({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Suspense
      fallback={
        <p className={classes.plain}>
          <PlainText text={text} />
        </p>
      }
    >
      <Markdown text={text} streaming={streaming} />
    </Suspense>
  );
}

type Group = [AnswerPart, ...AnswerPart[]];

/** Each text on its own; everything between two texts is one group. */
function groupParts(parts: readonly AnswerPart[]): Group[] {
  const groups: Group[] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    if (group && group[0].type !== 'text' && part.type !== 'text') {
      group.push(part);
    } else {
      groups.push([part]);
    }
  }
  return groups;
}
