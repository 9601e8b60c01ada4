import type { ConversationSummary } from '@knowhow/shared/conversations';
import type { Database } from '../storage/open-database.ts';
import { summaryOf } from './conversation-rows.ts';

export interface Renaming {
  title: string;
  /** It is renamed only while it is called so. */
  before?: string;
}

/** Undefined when the owner has no such conversation. */
export async function renameConversation(
  database: Database,
  owner: string,
  { id, title, before }: Renaming & { id: string },
): Promise<ConversationSummary | undefined> {
  const renamed = await database
    .updateTable('conversations')
    .set({ title })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .$if(before !== undefined, (query) => query.where('title', '=', before ?? ''))
    .returningAll()
    .executeTakeFirst();
  return renamed && summaryOf(renamed);
}
