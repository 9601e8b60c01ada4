import type { Conversation, Message, MessageStatus } from '@knowhow/shared/chat/conversations';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { conversationQuery } from './conversation-query.ts';
import { useTurnPhase, useTurnRunner } from './turn-context.ts';

/** A conversation without its messages, so that it is stable while an answer streams. */
export interface ConversationFacts extends Omit<Conversation, 'messages'> {
  /** Whether its last answer is unfinished, wherever it was started. */
  isBeingWritten: boolean;
  /** Whether its last answer is complete. */
  isAnswered: boolean;
}

/**
 * A conversation. A `fresh` one is not on the server yet and has no data until its first message is sent. A
 * running turn is followed.
 */
export function useConversation(id: string, fresh: boolean) {
  const phase = useTurnPhase(id);
  const runner = useTurnRunner();
  const conversation = useQuery({
    ...conversationQuery(id),
    // While a turn runs here, its events are newer than any server response.
    enabled: !fresh && phase === 'idle',
    staleTime: 30_000,
    // It may have continued in another browser.
    refetchOnWindowFocus: 'always',
    select: withoutMessages,
  });
  const isFollowed = phase !== 'idle' || conversation.data?.isBeingWritten !== true;
  useEffect(() => {
    if (!isFollowed) {
      void runner.follow(id);
    }
  }, [runner, id, isFollowed]);
  return conversation;
}

/** The loaded messages of a conversation. */
export function useMessages(id: string): Message[] | undefined {
  return useQuery({ ...conversationQuery(id), enabled: false, select: getMessages }).data;
}

function withoutMessages({ messages, ...facts }: Conversation): ConversationFacts {
  return {
    ...facts,
    isBeingWritten: hasLastStatus({ messages }, 'running'),
    isAnswered: hasLastStatus({ messages }, 'complete'),
  };
}

function getMessages({ messages }: Conversation): Message[] {
  return messages;
}

function hasLastStatus(
  { messages }: Pick<Conversation, 'messages'>,
  status: MessageStatus,
): boolean {
  const last = messages.at(-1);
  return last?.role === 'assistant' && last.status === status;
}
