import type { Model } from '@knowhow/shared/models';
import type { ComponentProps } from 'react';
import { Thread } from '../features/messages/thread.tsx';
import { type Move, ThreadStateContext } from '../features/messages/thread-state.ts';
import { useIsAway } from '../features/turn/turn-context.ts';
import { useChangeLine } from '../features/turn/use-change-line.ts';
import { useMessages } from '../features/turn/use-conversation.ts';
import { useGiveFeedback } from '../features/turn/use-give-feedback.ts';

interface ConversationThreadProps
  extends Omit<ComponentProps<typeof Thread>, 'messages' | 'isAway' | 'onFeedback'> {
  conversationId: string;
  isFresh: boolean;
  /** The models that an answer can be tried again with. */
  models: readonly Model[];
}

/** The messages of a conversation: the only part of the page that changes while an answer streams. */
export function ConversationThread(props: ConversationThreadProps) {
  const { conversationId, isFresh, models: offered, ...rest } = props;
  const messages = useMessages(conversationId);
  const isAway = useIsAway(conversationId);
  const onFeedback = useGiveFeedback(conversationId);
  const lines = useChangeLine<Move>(conversationId);
  const models = offered
    .filter(({ needs }) => needs === undefined)
    .map(({ id }) => ({ id, name: rest.modelName(id) }));
  const shown = messages ?? (isFresh ? [] : undefined);
  return (
    <ThreadStateContext value={{ busy: rest.busy, models, ...lines }}>
      <Thread
        {...rest}
        conversationId={conversationId}
        messages={shown}
        isAway={isAway}
        onFeedback={onFeedback}
      />
    </ThreadStateContext>
  );
}
