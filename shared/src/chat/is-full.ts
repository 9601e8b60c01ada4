/** What a conversation may hold that is gone on in. No model reads more, and a turn that holds it all holds nobody up. */
export const conversationLimits = { messages: 4000, characters: 8_000_000 };

/** Whether a conversation is too long to be gone on in. */
export function isFull({ messages, characters }: typeof conversationLimits): boolean {
  return messages >= conversationLimits.messages || characters >= conversationLimits.characters;
}
