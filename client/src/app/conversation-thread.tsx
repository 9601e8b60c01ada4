import type { ComponentProps } from 'react';
import { Thread } from '../features/messages/thread.tsx';
import { useMessages } from '../features/turn/use-conversation.ts';

interface ConversationThreadProps extends Omit<ComponentProps<typeof Thread>, 'messages'> {
  conversationId: string;
  isFresh: boolean;
}

/** The messages of a conversation: the only part of the page that changes while an answer streams. */
export function ConversationThread({ conversationId, isFresh, ...rest }: ConversationThreadProps) {
  const messages = useMessages(conversationId);
  return <Thread {...rest} messages={messages ?? (isFresh ? [] : undefined)} />;
}
