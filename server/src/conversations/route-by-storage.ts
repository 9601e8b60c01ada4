import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import type { ConversationStore } from './conversation-store.ts';
import type { TemporaryBounds } from './temporary-bounds.ts';

/** The stored conversations and those in memory as one: which one it is, its id says. Lists have the stored ones alone. */
export function routeByStorage(
  stored: ConversationStore,
  memory: ConversationStore,
  bounds: TemporaryBounds,
): ConversationStore {
  const of = (id: string) => (isTemporary(id) ? memory : stored);
  return {
    list: stored.list,
    countOf: stored.countOf,
    recover: stored.recover,
    find: (owner, id) => of(id).find(owner, id),
    has: (owner, id) => of(id).has(owner, id),
    owns: (owner, id) => of(id).owns(owner, id),
    comparisonBranchOf: (id) => of(id).comparisonBranchOf(id),
    findLastQuestion: (owner, asked) => of(asked.id).findLastQuestion(owner, asked),
    titleOf: (owner, id) => of(id).titleOf(owner, id),
    change: (owner, id, change) => of(id).change(owner, id, change),
    claim: (owner, id, replaces) => of(id).claim(owner, id, replaces),
    remove: (owner, id) => of(id).remove(owner, id),
    removeAllOf: async (owner) => {
      await memory.removeAllOf(owner);
      return stored.removeAllOf(owner);
    },
    giveFeedback: async (owner, messageId, feedback) =>
      (await stored.giveFeedback(owner, messageId, feedback)) ||
      memory.giveFeedback(owner, messageId, feedback),
    findCall: async (owner, messageId, number) =>
      (await stored.findCall(owner, messageId, number)) ??
      memory.findCall(owner, messageId, number),
    endSkill: (owner, id, name) => of(id).endSkill(owner, id, name),
    switchBranch: (owner, choice) => of(choice.id).switchBranch(owner, choice),
    activeNames: (owner, id) => of(id).activeNames(owner, id),
    findAttachable: (ids, where) => of(where.conversationId).findAttachable(ids, where),
    loadAttached: async (attachments) => {
      const loaded = await stored.loadAttached(attachments);
      return loaded.size === attachments.length
        ? loaded
        : new Map([...loaded, ...(await memory.loadAttached(attachments))]);
    },
    beginTurn: async (turn) => {
      const { id } = turn.conversation;
      if (isTemporary(id)) {
        await (turn.isNew ? bounds.admit(turn.owner) : bounds.checkRoom(turn.owner));
      }
      return of(id).beginTurn(turn);
    },
    saveAnswer: (id, answer, made) => of(id).saveAnswer(id, answer, made),
    addActivation: (at, added, replaced) =>
      of(at.conversationId).addActivation(at, added, replaced),
    endActivation: (at, record) => of(at.conversationId).endActivation(at, record),
    addCompaction: (at, compaction) => of(at.conversationId).addCompaction(at, compaction),
    keepTools: (at, tools) => of(at.conversationId).keepTools(at, tools),
  };
}
