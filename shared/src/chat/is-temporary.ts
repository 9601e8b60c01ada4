/**
 * Whether a conversation is temporary, i.e. only in the server's memory: its id is a version 8
 * UUID; all others have another version.
 */
export function isTemporary(conversationId: string): boolean {
  return conversationId.charAt(14) === '8';
}
