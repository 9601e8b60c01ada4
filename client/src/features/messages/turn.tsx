import type { Activation } from '@knowhow/shared/chat/chat';
import type { Conversation, Message } from '@knowhow/shared/chat/conversations';
import type { Feedback } from '@knowhow/shared/chat/feedback';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Fragment, memo, type ReactNode, Suspense, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import { Answer } from './answer/answer.tsx';
import noteClasses from './answer/answer-note.module.css';
import { useIsNear } from './near-watch.ts';
import { Question } from './question.tsx';
import classes from './thread.module.css';

const LeftOutFold = lazyPart(async () => (await import('./compaction-fold.tsx')).CompactionFold);
const MessageForm = lazyPart(async () => (await import('./message-form.tsx')).MessageForm);

/** State and actions shared by all messages. */
export interface TurnActions {
  /** The messages that models no longer receive. */
  leftOut: Conversation['leftOut'];
  activeSkills: Activation[];
  /** Whether an answer is being written, so that nothing can be edited or retried. */
  busy: boolean;
  /** Whether the connection to the answer is lost and being restored. */
  isAway: boolean;
  /** The user message that is being edited, and its text. */
  editing: { id: string; text: string } | undefined;
  modelName: (id: string) => string;
  onEdit: (id: string) => void;
  onCancelEdit: () => void;
  onResend: (id: string, text: string) => void;
  /** Retries an answer, or the last question; also with another model. */
  onRetry: (answer?: string, model?: string) => void;
  /** Asks the model to continue the last answer. */
  onGoOn: (message: string) => void;
  onEndSkill: (name: string) => void;
  /** Rates an answer; undefined withdraws the rating. */
  onFeedback: (id: string, feedback: Feedback | undefined) => void;
  /** Shows the trace of an answer. */
  onTrace: (id: string) => void;
  /** Whether the reader has access to traces. */
  hasTraces: boolean;
  /** The comparison answer to the last question, with actions on both. */
  comparison?: ReactNode;
}

interface TurnProps extends TurnActions {
  /** A question and its answer. */
  messages: Message[];
  /** The message before them. */
  before: string | undefined;
  /** Whether it was asked here, and reserves space for its answer. */
  isAsked: boolean;
  isLast: boolean;
  /** Labels of messages by author. */
  labels: Record<Message['role'], string>;
  /** Whether it is rendered completely even if it is far from the viewport. */
  isWhole: boolean;
}

/** A question and its answer; plain text only, until they come near the viewport. */
export function Turn({ isWhole, isAsked, ...props }: TurnProps) {
  const { messages, before, leftOut, isLast } = props;
  const element = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(element, isWhole);
  return (
    <div ref={element} className={classes.turn} data-asked={isAsked || undefined}>
      {messages.map((message, index) =>
        isNear ? (
          <Fragment key={message.id}>
            {message.id === leftOut?.before && (
              <Suspense>
                <LeftOutFold summary={leftOut.summary} />
              </Suspense>
            )}
            <Pair comparison={isLast && message.role === 'assistant' && props.comparison}>
              <ShownMessage
                {...props}
                message={message}
                question={messages[index - 1]?.id ?? before ?? ''}
                isLast={isLast && index === messages.length - 1}
              />
            </Pair>
          </Fragment>
        ) : (
          <FarMessage key={message.id} label={props.labels[message.role]} text={message.content} />
        ),
      )}
      {isLast && <ThreadNotes {...props} />}
    </div>
  );
}

/** An answer, with the comparison answer if there is one. */
function Pair({ comparison, children }: { comparison: ReactNode; children: ReactNode }) {
  return comparison ? (
    <div className={classes.pair}>
      {children}
      <Suspense>{comparison}</Suspense>
    </div>
  ) : (
    children
  );
}

/** The plain text of a distant message, for page search and screen readers. */
const FarMessage = memo(function FarMessage({ label, text }: { label: string; text: string }) {
  return (
    <article aria-label={label}>
      <PlainText text={text} />
    </article>
  );
});

/** Notes below the last message. */
function ThreadNotes({ messages, isAway, busy, onRetry }: TurnActions & { messages: Message[] }) {
  const { t } = useTranslation();
  return (
    <>
      {isAway && <div className={noteClasses.note}>{t('thread.reconnecting')}</div>}
      {messages.at(-1)?.role === 'user' && !busy && (
        <div className={noteClasses.note}>
          <span>{t('thread.noAnswer')}</span>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconRefresh size={15} aria-hidden />}
            onClick={() => onRetry()}
          >
            {t('action.retry')}
          </Button>
        </div>
      )}
    </>
  );
}

interface ShownMessageProps extends TurnActions {
  message: Message;
  /** The user message before it. */
  question: string;
  isLast: boolean;
}

function ShownMessage({ message, question, isLast, ...props }: ShownMessageProps) {
  if (message.role === 'assistant') {
    return (
      <Answer
        answer={message}
        modelName={props.modelName(message.model)}
        activeSkills={props.activeSkills}
        onEndSkill={props.onEndSkill}
        onFeedback={props.onFeedback}
        question={question}
        isLast={isLast}
        onRetry={props.onRetry}
        onGoOn={props.onGoOn}
        onTrace={props.hasTraces ? props.onTrace : undefined}
      />
    );
  }
  return <UserMessage {...props} message={message} />;
}

type UserMessageProps = Pick<
  TurnActions,
  'busy' | 'editing' | 'onEdit' | 'onCancelEdit' | 'onResend'
> & {
  message: Extract<Message, { role: 'user' }>;
};

/** A user message, or the form that edits it. */
function UserMessage({ message, editing, busy, ...props }: UserMessageProps) {
  const { onEdit, onCancelEdit, onResend } = props;
  const { t } = useTranslation();
  const isEdited = message.id === editing?.id;
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(isEdited);
  useLayoutEffect(() => {
    // The form took the focus with it, unless its message has been sent.
    if (wasEdited.current && !isEdited && document.activeElement === document.body) {
      editButton.current?.focus({ preventScroll: true });
    }
    wasEdited.current = isEdited;
  }, [isEdited]);

  if (isEdited) {
    return (
      <Suspense>
        <MessageForm
          label={t('question.editLabel')}
          text={editing.text}
          hint={t('question.editHint')}
          cancel={t('action.cancel')}
          submit={t('question.resend')}
          onCancel={onCancelEdit}
          onSubmit={(text) => onResend(message.id, text)}
        />
      </Suspense>
    );
  }
  return <Question question={message} onEdit={busy ? undefined : onEdit} editButton={editButton} />;
}
