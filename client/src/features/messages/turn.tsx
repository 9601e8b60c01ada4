import type { Activation } from '@knowhow/shared/chat/chat';
import type { Conversation, Message } from '@knowhow/shared/chat/conversations';
import type { Feedback } from '@knowhow/shared/chat/feedback';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Fragment, memo, type ReactNode, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import { Answer } from './answer/answer.tsx';
import noteClasses from './answer/answer-note.module.css';
import { useIsNear } from './near-watch.ts';
import { Question } from './question.tsx';
import classes from './thread.module.css';

const LeftOutFold = lazyPart(async () => (await import('./left-out-fold.tsx')).LeftOutFold);
const MessageForm = lazyPart(async () => (await import('./message-form.tsx')).MessageForm);

/** What messages need to know and to do, whichever they are. */
export interface TurnContext {
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
  /** Another answer to the last question, with what can be done with both. */
  beside?: ReactNode;
}

interface TurnProps extends TurnContext {
  /** A question and its answer. */
  messages: Message[];
  /** The message before them. */
  before: string | undefined;
  /** Whether it was asked here, and has all the room for its answer. */
  isAsked: boolean;
  isLast: boolean;
  /** What a message is called, by who has written it. */
  labels: Record<Message['role'], string>;
  /** Whether it is shown as it is even if it is far from what is in view. */
  isWhole: boolean;
}

/** A question and its answer: their words alone until they come near to what is in view. */
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
            <Pair beside={isLast && message.role === 'assistant' && props.beside}>
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

/** An answer with the one beside it, where there is one. */
function Pair({ beside, children }: { beside: ReactNode; children: ReactNode }) {
  return beside ? (
    <div className={classes.pair}>
      {children}
      <Suspense>{beside}</Suspense>
    </div>
  ) : (
    children
  );
}

/** The words of a message that is far away, so that they are found and read aloud. */
const FarMessage = memo(function FarMessage({ label, text }: { label: string; text: string }) {
  return (
    <article aria-label={label}>
      <PlainText text={text} />
    </article>
  );
});

/** What has to be said below the last message. */
function ThreadNotes({ messages, isAway, busy, onRetry }: TurnContext & { messages: Message[] }) {
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

interface ShownMessageProps extends TurnContext {
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
