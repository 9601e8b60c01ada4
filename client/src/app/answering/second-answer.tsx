import { Button } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { use, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../features/messages/answer/answer.tsx';
import { ConversationContext } from '../../features/messages/conversation-context.ts';
import { ThreadStateContext } from '../../features/messages/thread-state.ts';
import { useTurnPhase, useTurnRunner } from '../../features/turn/turn-context.ts';
import { useConversation, useMessages } from '../../features/turn/use-conversation.ts';
import { useGiveFeedback } from '../../features/turn/use-give-feedback.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import classes from './second-answer.module.css';

interface SecondAnswerProps {
  /** IDs of the conversation and of the comparison answer. */
  conversationId: string;
  id: string;
  /** The user message that both models answer, and the model of the main conversation. */
  question: string;
  model: string;
  modelName: (id: string) => string;
  onTrace: ((id: string) => void) | undefined;
}

/** The comparison answer, and the actions on both answers. */
export function ComparisonAnswer(props: SecondAnswerProps) {
  const { conversationId, id, question, model, modelName, onTrace } = props;
  const { t } = useTranslation();
  const { data: line } = useConversation(id, false);
  const [asked, answer] = useMessages(id) ?? [];
  const onFeedback = useGiveFeedback(id);
  const sides = useSides(line?.appId, [
    { id: conversationId, question },
    { id, question: asked?.id },
  ]);
  const name = modelName(model);
  if (!line || answer?.role !== 'assistant') {
    return null;
  }
  const other = modelName(answer.model);
  return (
    <>
      <Foot name={name} {...sides[0]} />
      <ConversationContext value={id}>
        <Answer
          answer={answer}
          modelName={other}
          activeSkills={line.activeSkills}
          isLast
          onFeedback={onFeedback}
          onTrace={onTrace}
        />
      </ConversationContext>
      <Foot name={other} {...sides[1]} />
      <p className={classes.note}>{t('second.note', { model: name })}</p>
    </>
  );
}

interface Side {
  id: string;
  question: string | undefined;
}

interface FootProps {
  isWritten: boolean;
  onStop: () => void;
  onTake: () => void;
}

/** Actions on both answers: stop one of them, or choose one, which stops the other. */
function useSides(
  appId: string | undefined,
  [first, second]: [Side, Side],
): [FootProps, FootProps] {
  const runner = useTurnRunner();
  const showError = useErrorToast();
  const { onMove } = use(ThreadStateContext);
  const isFirstWritten = useTurnPhase(first.id) !== 'idle';
  const isSecondWritten = useTurnPhase(second.id) !== 'idle';
  const isWritten = isFirstWritten || isSecondWritten;
  const [taken, setTaken] = useState<Side>();
  useEffect(() => {
    if (taken?.question !== undefined && !isWritten) {
      setTaken(undefined);
      onMove({ to: taken.question, by: taken.id === first.id ? 'before' : 'after' });
    }
  }, [taken, isWritten, onMove, first.id]);
  const stop = (id: string) => appId && void runner.stop(appId, id).catch(showError);
  const side = (own: Side, isOwn: boolean, other: Side, isOther: boolean): FootProps => ({
    isWritten: isOwn,
    onStop: () => stop(own.id),
    onTake: () => {
      setTaken(own);
      if (isOther) {
        stop(other.id);
      }
    },
  });
  return [
    side(first, isFirstWritten, second, isSecondWritten),
    side(second, isSecondWritten, first, isFirstWritten),
  ];
}

function Foot({ name, isWritten, onStop, onTake }: FootProps & { name: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.foot}>
      {isWritten ? (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlayerStop size={15} aria-hidden />}
          aria-label={t('second.stopLabel', { model: name })}
          onClick={onStop}
        >
          {t('second.stop')}
        </Button>
      ) : (
        <Button
          variant="light"
          size="compact-sm"
          aria-label={t('second.takeLabel', { model: name })}
          // The second click of a double click was meant for the stop button that was here a moment ago.
          onClick={({ detail }) => detail < 2 && onTake()}
        >
          {t('second.take')}
        </Button>
      )}
    </div>
  );
}
