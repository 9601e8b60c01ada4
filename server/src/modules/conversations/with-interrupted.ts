import type { Database } from '../../platform/storage/open-database.ts';
import type { ConversationStore } from './conversation-store.ts';
import { markInterrupted } from './mark-interrupted.ts';

interface Dependencies {
  database: Database;
  /** Whether a turn is running in a conversation, on any node. */
  isAnswered: (conversationId: string) => Promise<boolean>;
}

/** Wraps the store so that reading marks answers as interrupted if their node has crashed. */
export function withInterrupted(
  store: ConversationStore,
  { database, isAnswered }: Dependencies,
): ConversationStore {
  return {
    ...store,
    find: async (owner, id) => {
      const found = await store.find(owner, id);
      const isRunning = found?.messages.some(
        (message) => message.role === 'assistant' && message.status === 'running',
      );
      if (!isRunning || (await isAnswered(id))) {
        return found;
      }
      await markInterrupted(database, isAnswered);
      return store.find(owner, id);
    },
  };
}
