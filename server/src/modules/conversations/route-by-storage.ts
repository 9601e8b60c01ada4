import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { ConversationStore } from './conversation-store.ts';
import type { ConversationFiles } from './files.ts';
import type { TemporaryBounds } from './temporary-bounds.ts';

/** Combines stored conversations and temporary, in-memory ones; the ID tells which one it is. Lists only contain stored ones. */
export function routeByStorage(
  stored: ConversationStore,
  memory: ConversationStore,
  bounds: TemporaryBounds,
): ConversationStore {
  const storeFor = (id: string) => (isTemporary(id) ? memory : stored);
  return {
    list: stored.list,
    countOf: stored.countOf,
    recover: stored.recover,
    find: (owner, id) => storeFor(id).find(owner, id),
    has: (owner, id) => storeFor(id).has(owner, id),
    owns: (owner, id) => storeFor(id).owns(owner, id),
    findComparisonBranch: (id) => storeFor(id).findComparisonBranch(id),
    findLastQuestion: (owner, asked) => storeFor(asked.id).findLastQuestion(owner, asked),
    titleOf: (owner, id) => storeFor(id).titleOf(owner, id),
    change: (owner, id, change) => storeFor(id).change(owner, id, change),
    claim: (owner, id, replaces) => storeFor(id).claim(owner, id, replaces),
    remove: (owner, id) => storeFor(id).remove(owner, id),
    removeAllOf: async (owner) => {
      await memory.removeAllOf(owner);
      return stored.removeAllOf(owner);
    },
    giveFeedback: async (owner, messageId, feedback) =>
      (await stored.giveFeedback(owner, messageId, feedback)) ||
      memory.giveFeedback(owner, messageId, feedback),
    findExchange: async (owner, messageId) =>
      (await stored.findExchange(owner, messageId)) ?? memory.findExchange(owner, messageId),
    findCall: async (owner, messageId, number) =>
      (await stored.findCall(owner, messageId, number)) ??
      memory.findCall(owner, messageId, number),
    endSkill: (owner, id, name) => storeFor(id).endSkill(owner, id, name),
    switchBranch: (owner, choice) => storeFor(choice.id).switchBranch(owner, choice),
    activeNames: (owner, id) => storeFor(id).activeNames(owner, id),
    findAttachable: (ids, where) => storeFor(where.conversationId).findAttachable(ids, where),
    loadAttached: async (attachments) => {
      const loaded = await stored.loadAttached(attachments);
      return loaded.size === attachments.length
        ? loaded
        : new Map([...loaded, ...(await memory.loadAttached(attachments))]);
    },
    beginTurn: async (turn) => {
      const { id } = turn.conversation;
      if (isTemporary(id)) {
        await (turn.isNew ? bounds.admit(turn.owner) : bounds.assertCapacity(turn.owner));
      }
      return storeFor(id).beginTurn(turn);
    },
    saveAnswer: (id, answer, progress) => storeFor(id).saveAnswer(id, answer, progress),
    addActivation: (at, added, replaced) =>
      storeFor(at.conversationId).addActivation(at, added, replaced),
    endActivation: (at, record) => storeFor(at.conversationId).endActivation(at, record),
    addCompaction: (at, compaction) => storeFor(at.conversationId).addCompaction(at, compaction),
    saveOfferedTools: (at, tools) => storeFor(at.conversationId).saveOfferedTools(at, tools),
  };
}

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
