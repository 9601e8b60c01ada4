import type { FoundConversation } from '@knowhow/shared/chat/conversations';

/** The URL of a conversation; for a search result, of the message, with the words to highlight. */
export function linkTo({ id, hit }: FoundConversation) {
  if (!hit) {
    return { to: `/c/${id}` };
  }
  const words = hit.marks.map(({ from, to }) => hit.text.slice(from, to));
  return { to: `/c/${id}#${hit.messageId}`, state: { words: [...new Set(words)] } };
}
