/**
 * Limits for continuing a conversation. No model reads more, and a turn of this size still does not
 * block others.
 */
export const conversationLimits = { messages: 4000, characters: 8_000_000 };

/** Whether a conversation is too long to continue. */
export function isFull({ messages, characters }: typeof conversationLimits): boolean {
  return messages >= conversationLimits.messages || characters >= conversationLimits.characters;
}
