import type { Activation } from '@knowhow/shared/chat';
import type { Conversation, Feedback, Message } from '@knowhow/shared/conversations';
import { Button, Skeleton } from '@mantine/core';
import { IconArrowDown, IconRefresh } from '@tabler/icons-react';
import { memo, type ReactNode, Suspense, useContext, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useStableCallbacks } from '../../ui/use-stable-callbacks.ts';
import { Answer } from './answer.tsx';
import noteClasses from './answer-note.module.css';
import { ConversationContext } from './conversation-context.ts';
import { Question } from './question.tsx';
import classes from './thread.module.css';
import { ThreadStateContext } from './thread-state.ts';
import { useFollowEnd } from './use-follow-end.ts';

const LeftOutFold = lazyPart(async () => (await import('./left-out-fold.tsx')).LeftOutFold);
const MessageForm = lazyPart(async () => (await import('./message-form.tsx')).MessageForm);

interface ThreadProps extends Omit<MessagesProps, 'messages'> {
  conversationId: string;
  /** Undefined while they are loaded. */
  messages: Message[] | undefined;
  /** What is in place of the messages while there are none. */
  empty: ReactNode;
}

interface MessagesProps {
  messages: Message[];
  /** What models no longer get of them. */
  leftOut: Conversation['leftOut'];
  activeSkills: Activation[];
  /** Whether an answer is being written, so that nothing can be edited or tried again. */
  busy: boolean;
  /** Whether the connection to the answer is lost, and tried again. */
  isAway: boolean;
  /** The user's message that is being changed, and its text. */
  editing: { id: string; text: string } | undefined;
  modelName: (id: string) => string;
  onEdit: (id: string) => void;
  onCancelEdit: () => void;
  onResend: (id: string, text: string) => void;
  /** Asks for an answer again, or for that to the last question; also with another model. */
  onRetry: (answer?: string, model?: string) => void;
  /** Sends what asks to go on where the last answer ended. */
  onGoOn: (message: string) => void;
  onEndSkill: (name: string) => void;
  /** What its reader thinks of an answer; undefined takes it back. */
  onFeedback: (id: string, feedback: Feedback | undefined) => void;
  /** Shows what the model saw for an answer. */
  onTrace: (id: string) => void;
  /** Whether the reader may see that. */
  hasTraces: boolean;
}

/** The messages of a conversation. */
export function Thread({ conversationId, messages, empty, ...props }: ThreadProps) {
  const { leftOut, activeSkills, busy, isAway, editing, modelName, hasTraces, ...latest } = props;
  const callbacks = useStableCallbacks(latest);
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const { isAway: isScrolledUp, toEnd } = useFollowEnd(scroller);
  const lastQuestion = messages?.findLast(({ role }) => role === 'user')?.id;

  // Whoever sends a message wants to see what comes of it; who changes to another line, that.
  const { moved } = useContext(ThreadStateContext);
  const followed = useRef(moved);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new question is the occasion
  useEffect(() => {
    if (followed.current === moved) {
      toEnd();
    }
    followed.current = moved;
  }, [lastQuestion, toEnd]);

  return (
    <div className={classes.frame}>
      <div className={classes.scroller} ref={scroller}>
        <div className={classes.column} role="log" aria-label={t('thread.label')} aria-busy={busy}>
          {messages?.length === 0 && empty}
          {messages ? (
            <ConversationContext value={conversationId}>
              <Messages
                {...{ messages, leftOut, activeSkills, busy, isAway, editing }}
                {...{ modelName, hasTraces }}
                {...callbacks}
              />
            </ConversationContext>
          ) : (
            <ThreadSkeleton />
          )}
        </div>
      </div>
      {isScrolledUp && (
        <Button
          className={classes.toEnd}
          variant="default"
          size="xs"
          radius="xl"
          leftSection={<IconArrowDown size={15} aria-hidden />}
          onClick={toEnd}
        >
          {t('thread.toEnd')}
        </Button>
      )}
    </div>
  );
}

/** Rendered again only when they change: thousands of them would hold up each key that is typed. */
const Messages = memo(function Messages(props: MessagesProps) {
  const { messages, leftOut, busy } = props;
  const { t } = useTranslation();
  const last = messages.at(-1);
  return (
    <>
      {messages.flatMap((message, index) => [
        message.id === leftOut?.before && (
          <Suspense key="left-out">
            <LeftOutFold summary={leftOut.summary} />
          </Suspense>
        ),
        <ShownMessage
          key={message.id}
          {...props}
          message={message}
          question={messages[index - 1]?.id ?? ''}
          isLast={message === last}
        />,
      ])}
      {props.isAway && <div className={noteClasses.note}>{t('thread.reconnecting')}</div>}
      {last?.role === 'user' && !busy && (
        <div className={noteClasses.note}>
          <span>{t('thread.noAnswer')}</span>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconRefresh size={15} aria-hidden />}
            onClick={() => props.onRetry()}
          >
            {t('action.retry')}
          </Button>
        </div>
      )}
    </>
  );
});

interface ShownMessageProps extends MessagesProps {
  message: Message;
  /** The message of the user before it. */
  question: string;
  isLast: boolean;
}

function ShownMessage({ message, question, isLast, ...props }: ShownMessageProps) {
  const { busy, editing, onEdit, onCancelEdit, onResend } = props;
  const { t } = useTranslation();
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
  if (message.id === editing?.id) {
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
  return <Question question={message} onEdit={busy ? undefined : onEdit} />;
}

function ThreadSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden>
      <Skeleton height={44} width="55%" ml="auto" radius={12} />
      <Skeleton height={12} mt={28} />
      <Skeleton height={12} mt={12} width="94%" />
      <Skeleton height={12} mt={12} width="60%" />
    </div>
  );
}
