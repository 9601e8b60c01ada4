import type { Database } from '../storage/open-database.ts';
import type { ConversationStore } from './conversation-store.ts';
import { markInterrupted } from './mark-interrupted.ts';

interface Surroundings {
  database: Database;
  /** Whether a turn is under way in a conversation, on whichever node. */
  isAnswered: (conversationId: string) => Promise<boolean>;
}

/** The same conversations; whoever looks at an answer that died with its node finds it marked as interrupted. */
export function withInterrupted(
  store: ConversationStore,
  { database, isAnswered }: Surroundings,
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
