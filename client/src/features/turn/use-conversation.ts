import type { Conversation, Message, MessageStatus } from '@knowhow/shared/chat/conversations';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { conversationQuery } from './conversation-query.ts';
import { useTurnPhase, useTurnRunner } from './turn-context.ts';

/** A conversation without its messages, so that it stays the same while an answer streams. */
export interface ConversationFacts extends Omit<Conversation, 'messages'> {
  /** Whether its last answer is unfinished, wherever it was begun. */
  isBeingWritten: boolean;
  /** Whether its last answer has come to its end. */
  isAnswered: boolean;
}

/**
 * A conversation; a `fresh` one is not on the server yet and has no data before it is sent. One that is being
 * answered is followed.
 */
export function useConversation(id: string, fresh: boolean) {
  const phase = useTurnPhase(id);
  const runner = useTurnRunner();
  const conversation = useQuery({
    ...conversationQuery(id),
    // While a turn runs here, its events are newer than anything the server would answer.
    enabled: !fresh && phase === 'idle',
    staleTime: 30_000,
    // It may have gone on in another browser.
    refetchOnWindowFocus: 'always',
    select: factsOf,
  });
  const isFollowed = phase !== 'idle' || conversation.data?.isBeingWritten !== true;
  useEffect(() => {
    if (!isFollowed) {
      void runner.follow(id);
    }
  }, [runner, id, isFollowed]);
  return conversation;
}

/** The messages of a conversation, as far as they are loaded. */
export function useMessages(id: string): Message[] | undefined {
  return useQuery({ ...conversationQuery(id), enabled: false, select: messagesOf }).data;
}

function factsOf({ messages, ...facts }: Conversation): ConversationFacts {
  return {
    ...facts,
    isBeingWritten: isLastOf({ messages }, 'running'),
    isAnswered: isLastOf({ messages }, 'complete'),
  };
}

function messagesOf({ messages }: Conversation): Message[] {
  return messages;
}

function isLastOf({ messages }: Pick<Conversation, 'messages'>, status: MessageStatus): boolean {
  const last = messages.at(-1);
  return last?.role === 'assistant' && last.status === status;
}
