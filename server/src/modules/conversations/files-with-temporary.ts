import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { ConversationFiles } from './files.ts';
import type { TemporaryBounds } from './temporary-bounds.ts';

/** Routes file operations to stored or in-memory conversations. */
export function filesWithTemporary(
  stored: ConversationFiles,
  memory: ConversationFiles,
  bounds: TemporaryBounds,
): ConversationFiles {
  const storeFor = (conversationId: string) => (isTemporary(conversationId) ? memory : stored);
  return {
    keep: (files, at) => storeFor(at.conversationId).keep(files, at),
    upload: async (owner, file) => {
      if (!file.isTemporary) {
        return stored.upload(owner, file);
      }
      await bounds.assertCapacity(owner);
      return memory.upload(owner, file);
    },
    removeUpload: async (owner, id) =>
      (await stored.removeUpload(owner, id)) || memory.removeUpload(owner, id),
    read: async (owner, id) => (await stored.read(owner, id)) ?? memory.read(owner, id),
    find: (conversationId, name) => storeFor(conversationId).find(conversationId, name),
    readText: (conversationId, name) => storeFor(conversationId).readText(conversationId, name),
    namesOfTexts: (conversationId) => storeFor(conversationId).namesOfTexts(conversationId),
  };
}
