import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { ConversationFiles } from './files.ts';
import type { TemporaryBounds } from './temporary-bounds.ts';

/** The files of stored conversations and of those in memory as one. */
export function filesWithTemporary(
  stored: ConversationFiles,
  memory: ConversationFiles,
  bounds: TemporaryBounds,
): ConversationFiles {
  const of = (conversationId: string) => (isTemporary(conversationId) ? memory : stored);
  return {
    keep: (files, at) => of(at.conversationId).keep(files, at),
    upload: async (owner, file) => {
      if (!file.isTemporary) {
        return stored.upload(owner, file);
      }
      await bounds.checkRoom(owner);
      return memory.upload(owner, file);
    },
    removeUpload: async (owner, id) =>
      (await stored.removeUpload(owner, id)) || memory.removeUpload(owner, id),
    read: async (owner, id) => (await stored.read(owner, id)) ?? memory.read(owner, id),
    find: (conversationId, name) => of(conversationId).find(conversationId, name),
    readText: (conversationId, name) => of(conversationId).readText(conversationId, name),
    namesOfTexts: (conversationId) => of(conversationId).namesOfTexts(conversationId),
  };
}
