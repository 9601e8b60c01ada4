import type { ComponentProps } from 'react';
import { Thread } from '../features/messages/thread.tsx';
import { useIsAway } from '../features/turn/turn-context.ts';
import { useMessages } from '../features/turn/use-conversation.ts';
import { useGiveFeedback } from '../features/turn/use-give-feedback.ts';

interface ConversationThreadProps
  extends Omit<ComponentProps<typeof Thread>, 'messages' | 'isAway' | 'onFeedback'> {
  conversationId: string;
  isFresh: boolean;
}

/** The messages of a conversation: the only part of the page that changes while an answer streams. */
export function ConversationThread({ conversationId, isFresh, ...rest }: ConversationThreadProps) {
  const messages = useMessages(conversationId);
  const isAway = useIsAway(conversationId);
  const onFeedback = useGiveFeedback(conversationId);
  const shown = messages ?? (isFresh ? [] : undefined);
  return (
    <Thread
      {...rest}
      conversationId={conversationId}
      messages={shown}
      isAway={isAway}
      onFeedback={onFeedback}
    />
  );
}
