import type { FoundConversation } from '@knowhow/shared/chat/conversations';

/** Where a conversation is; where a search has found a message in it, that, with what is to be marked. */
export function linkTo({ id, hit }: FoundConversation) {
  if (!hit) {
    return { to: `/c/${id}` };
  }
  const words = hit.marks.map(({ from, to }) => hit.text.slice(from, to));
  return { to: `/c/${id}#${hit.messageId}`, state: { words: [...new Set(words)] } };
}
