/**
 * Whether a conversation, by its id, is kept in the memory of the server alone: those have a UUID of version 8, all
 * others one of another version.
 */
export function isTemporary(conversationId: string): boolean {
  return conversationId.charAt(14) === '8';
}
