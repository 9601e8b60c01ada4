import type { Activation } from '@knowhow/shared/chat';
import type { Conversation, Message } from '@knowhow/shared/conversations';
import type { Feedback } from '@knowhow/shared/feedback';
import { Button, Skeleton } from '@mantine/core';
import { IconArrowDown, IconRefresh } from '@tabler/icons-react';
import {
  Fragment,
  memo,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
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
import { useJump } from './use-jump.ts';

const LeftOutFold = lazyPart(async () => (await import('./left-out-fold.tsx')).LeftOutFold);
const MessageForm = lazyPart(async () => (await import('./message-form.tsx')).MessageForm);

interface ThreadProps extends Omit<MessagesProps, 'messages' | 'asked'> {
  conversationId: string;
  /** Undefined while they are loaded. */
  messages: Message[] | undefined;
  /** What is in place of the messages while there are none. */
  empty: ReactNode;
}

interface MessagesProps {
  messages: Message[];
  /** The last question, if it was asked here and not found here. */
  asked: string | undefined;
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
  const { isAway: isScrolledUp, toEnd, letGo } = useFollowEnd(scroller);
  useJump({ messages, scroller, onLeave: letGo });
  const lastQuestion = messages?.findLast(({ role }) => role === 'user')?.id;

  // Whoever sends a message wants to see what comes of it; who changes to another line, that.
  const { moved } = useContext(ThreadStateContext);
  const asked = useAsked(messages !== undefined, lastQuestion, moved);
  const followed = useRef(moved);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new question is the occasion
  useEffect(() => {
    if (followed.current === moved) {
      toEnd();
    }
    followed.current = moved;
  }, [lastQuestion, toEnd]);

  return (
    <div className={classes.frame} data-empty={messages?.length === 0 || undefined}>
      <div className={classes.scroller} ref={scroller}>
        <div className={classes.column} role="log" aria-label={t('thread.label')} aria-busy={busy}>
          {messages?.length === 0 && empty}
          {messages ? (
            <ConversationContext value={conversationId}>
              <Messages
                {...{ messages, asked, leftOut, activeSkills, busy, isAway, editing }}
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

/** The last question, once it is another than the one that was there when the messages came. */
function useAsked(isLoaded: boolean, lastQuestion: string | undefined, moved: unknown) {
  const [found, setFound] = useState<{ question: string | undefined; moved: unknown }>();
  if (isLoaded && (!found || found.moved !== moved)) {
    setFound({ question: lastQuestion, moved });
  }
  return found && found.question !== lastQuestion ? lastQuestion : undefined;
}

/** Rendered again only when they change: thousands of them would hold up each key that is typed. */
const Messages = memo(function Messages(props: MessagesProps) {
  const { messages, asked, leftOut } = props;
  const last = messages.at(-1);
  return turnsOf(messages).map(({ id, from, to }) => (
    <div key={id} className={classes.turn} data-asked={id === asked || undefined}>
      {messages.slice(from, to).map((message, index) => (
        <Fragment key={message.id}>
          {message.id === leftOut?.before && (
            <Suspense>
              <LeftOutFold summary={leftOut.summary} />
            </Suspense>
          )}
          <ShownMessage
            {...props}
            message={message}
            question={messages[from + index - 1]?.id ?? ''}
            isLast={message === last}
          />
        </Fragment>
      ))}
      {to === messages.length && <ThreadNotes {...props} />}
    </div>
  ));
});

/** A question with its answer each, by the question's id: messages from one position to before another. */
function turnsOf(messages: Message[]): { id: string; from: number; to: number }[] {
  const starts = messages.flatMap(({ id, role }, from) =>
    role === 'user' || from === 0 ? [{ id, from }] : [],
  );
  return starts.map((start, turn) => ({ ...start, to: starts[turn + 1]?.from ?? messages.length }));
}

/** What has to be said below the last message. */
function ThreadNotes({ messages, isAway, busy, onRetry }: MessagesProps) {
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
