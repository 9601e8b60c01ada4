import type { AssistantMessage, Conversation } from '@knowhow/shared/chat/conversations';

/** Updates the last answer of a conversation; no-op if it does not end with an answer. */
export function updateAnswer(
  conversation: Conversation,
  change: (answer: AssistantMessage) => AssistantMessage,
): Conversation {
  const last = conversation.messages.at(-1);
  if (last?.role !== 'assistant') {
    return conversation;
  }
  return { ...conversation, messages: [...conversation.messages.slice(0, -1), change(last)] };
}
