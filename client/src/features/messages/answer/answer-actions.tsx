import type { Activation } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { type Feedback, maxReasonLength } from '@knowhow/shared/chat/feedback';
import { isPersonalSkillId } from '@knowhow/shared/skills/skill-id';
import {
  IconBulb,
  IconChevronDown,
  IconListDetails,
  IconMarkdown,
  IconRefresh,
  IconThumbDown,
  IconThumbDownFilled,
  IconThumbUp,
  IconThumbUpFilled,
} from '@tabler/icons-react';
import { type RefObject, Suspense, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '../../../ui/focus/use-focus-back.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LostDialog } from '../../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { loadChunk } from '../../../ui/loading/load-chunk.ts';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { MessageForm } from '../message-form.tsx';
import { ThreadStateContext } from '../thread-state.ts';
import classes from './answer.module.css';
import { endedEarly } from './answer-note.tsx';
import { ReadAloudButton } from './read-aloud-button.tsx';

interface AnswerActionsProps {
  answer: AssistantMessage;
  activeSkills: readonly Activation[];
  /** The rendered answer. */
  shown: RefObject<HTMLElement | null>;
  /** Whether it is the last one of its conversation. */
  isLast: boolean;
  /** Retries the answer, also with another model. */
  onRetry: ((id: string, model?: string) => void) | undefined;
  onFeedback: ((id: string, feedback: Feedback | undefined) => void) | undefined;
  /** Shows the trace; undefined if the reader has no access to it. */
  onTrace: ((id: string) => void) | undefined;
}

/** The actions on a finished answer, with the reader's rating. */
export function AnswerActions(props: AnswerActionsProps) {
  const { answer, activeSkills, shown, isLast, onRetry, onFeedback, onTrace } = props;
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const { feedback } = answer;
  const give = (given: Feedback | undefined) => onFeedback?.(answer.id, given);
  return (
    <>
      <div className={classes.actions}>
        {answer.content && (
          <>
            <CopyAnswer text={answer.content} shown={shown} />
            <ReadAloudButton shown={shown} />
          </>
        )}
        {onRetry && (
          <RetryButton
            model={answer.model}
            isMenu={endedEarly(answer)}
            isLast={isLast}
            onRetry={(model) => onRetry(answer.id, model)}
          />
        )}
        {onFeedback && (
          <FeedbackButtons
            feedback={feedback}
            onFeedback={(given) => {
              give(given);
              setAsking(given !== undefined);
            }}
          />
        )}
        <SuggestButton answer={answer} activeSkills={activeSkills} />
        {onTrace && (
          <IconButton
            label={t('traceAction')}
            icon={<IconListDetails size={16} />}
            aria-haspopup="dialog"
            onClick={() => onTrace(answer.id)}
          />
        )}
      </div>
      {isAsking && feedback && (
        <MessageForm
          key={feedback.value}
          isOffered
          label={t(feedback.value === 'up' ? 'feedback.whyUp' : 'feedback.whyDown')}
          text={feedback.reason ?? ''}
          hint={t('feedback.hint')}
          cancel={t('feedback.skip')}
          submit={t('feedback.send')}
          maxLength={maxReasonLength}
          onCancel={() => setAsking(false)}
          onSubmit={(reason) => {
            give({ ...feedback, reason: reason.trim() });
            setAsking(false);
          }}
        />
      )}
      {!isAsking && feedback?.reason && (
        <p className={classes.reason}>{t('feedback.given', { reason: feedback.reason })}</p>
      )}
    </>
  );
}

const SuggestDialog = lazyPart(
  async () => (await import('./suggest-dialog.tsx')).SuggestDialog,
  LostDialog,
);

/** Opens the form for a suggestion about a skill that the answer used. */
function SuggestButton({
  answer,
  activeSkills,
}: Pick<AnswerActionsProps, 'answer' | 'activeSkills'>) {
  const { t } = useTranslation();
  const skills = useSuggestible(answer, activeSkills);
  const [isOpen, setOpen] = useState(false);
  useFocusBack(isOpen);
  if (skills.length === 0) {
    return null;
  }
  return (
    <>
      <IconButton
        label={t('suggest.title')}
        icon={<IconBulb size={16} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <SuggestDialog answerId={answer.id} skills={skills} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Names of the skills that an answer used: activated for it, or active since an earlier one. */
function useSuggestible(answer: AssistantMessage, active: readonly Activation[]): string[] {
  const { shown } = useContext(ThreadStateContext);
  if (!shown) {
    return [];
  }
  const messages = active.length > 0 ? (shown.current ?? []) : [];
  const earlier = messages
    .slice(
      0,
      messages.findIndex(({ id }) => id === answer.id),
    )
    .flatMap((message) => (message.role === 'assistant' ? message.activations : []))
    .filter(({ name }) => active.some((each) => each.name === name));
  const used = new Set([...answer.activations, ...earlier].map(({ name }) => name));
  return [...used].filter((name) => !isPersonalSkillId(name));
}

type CopyAnswerProps = Pick<AnswerActionsProps, 'shown'> & { text: string };

/** Copies an answer as Markdown, and as HTML for targets that support it. */
function CopyAnswer({ text, shown }: CopyAnswerProps) {
  const { t } = useTranslation();
  const htmlOf = async () => {
    const { toRichText } = await loadChunk(() => import('../../../ui/markdown/rich-text.ts'));
    const html = shown.current ? toRichText(shown.current) : '';
    if (html === '') {
      throw new Error('The answer is not shown yet.');
    }
    return html;
  };
  return (
    <>
      <CopyButton textOf={() => text} htmlOf={htmlOf} />
      <CopyButton
        label={t('answer.copyMarkdown')}
        icon={<IconMarkdown size={16} />}
        textOf={() => text}
      />
    </>
  );
}

interface FeedbackButtonsProps {
  feedback: Feedback | undefined;
  onFeedback: (feedback: Feedback | undefined) => void;
}

const thumbs = [
  { value: 'up', text: 'feedback.up', Icon: IconThumbUp, Pressed: IconThumbUpFilled },
  { value: 'down', text: 'feedback.down', Icon: IconThumbDown, Pressed: IconThumbDownFilled },
] as const;

/** Thumbs up and down; the pressed one withdraws the rating. */
function FeedbackButtons({ feedback, onFeedback }: FeedbackButtonsProps) {
  const { t } = useTranslation();
  return thumbs.map(({ value, text, Icon, Pressed }) => {
    const isPressed = feedback?.value === value;
    return (
      <IconButton
        key={value}
        label={t(text)}
        aria-pressed={isPressed}
        icon={isPressed ? <Pressed size={16} /> : <Icon size={16} />}
        onClick={() => onFeedback(isPressed ? undefined : { value })}
      />
    );
  });
}

const RetryMenu = lazyPart(async () => (await import('./retry-menu.tsx')).RetryMenu);

interface RetryButtonProps {
  /** The model that wrote the answer. */
  model: string;
  /** Whether only the menu of models is shown, because there is already a retry button. */
  isMenu: boolean;
  /** Whether another model can answer for comparison. */
  isLast: boolean;
  onRetry: (model?: string) => void;
}

/** Retries the answer, or opens a menu of models. A thread has thousands, so the menu is loaded on demand. */
function RetryButton({ model, isMenu, isLast, onRetry }: RetryButtonProps) {
  const { t } = useTranslation();
  const { busy, models, onBeside } = useContext(ThreadStateContext);
  const [isWanted, setWanted] = useState(false);
  const others = models.filter(({ id }) => id !== model);
  if (busy) {
    return null;
  }
  return (
    <>
      {!isMenu && (
        <IconButton
          label={t('action.retry')}
          icon={<IconRefresh size={16} />}
          onClick={() => onRetry()}
        />
      )}
      {others.length > 0 && (
        <IconButton
          size={isMenu ? 32 : 20}
          label={t('again.with')}
          icon={isMenu ? <IconRefresh size={16} /> : <IconChevronDown size={14} />}
          aria-haspopup="menu"
          aria-expanded={isWanted}
          onClick={() => setWanted(true)}
        />
      )}
      {isWanted && (
        <Suspense>
          <RetryMenu
            models={others}
            onRetry={onRetry}
            onBeside={isLast ? onBeside : undefined}
            onClose={() => setWanted(false)}
          />
        </Suspense>
      )}
    </>
  );
}
