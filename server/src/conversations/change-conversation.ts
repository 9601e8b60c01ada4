import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import type { Database } from '../storage/open-database.ts';
import { summaryOf } from './conversation-rows.ts';

/** What is left out stays as it is. */
export interface Change {
  title?: string | undefined;
  pinned?: boolean | undefined;
  /** What is archived is not pinned any more. */
  archived?: boolean | undefined;
  /** Null takes it out of its folder. */
  folder?: string | null | undefined;
  /** It is changed only while it is called so. */
  before?: string;
}

/** Undefined when the owner has no such conversation. */
export async function changeConversation(
  database: Database,
  owner: string,
  { id, title, pinned, archived, folder, before }: Change & { id: string },
): Promise<ConversationSummary | undefined> {
  const changed = await database
    .updateTable('conversations')
    .set({
      ...(title === undefined ? {} : { title }),
      ...(archived === undefined ? {} : { archived: Number(archived) }),
      ...(archived ? { pinned: 0 } : {}),
      ...(pinned === undefined ? {} : { pinned: Number(pinned) }),
      ...(folder === undefined ? {} : { folder }),
    })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .$if(before !== undefined, (query) => query.where('title', '=', before ?? ''))
    .returningAll()
    .executeTakeFirst();
  return changed && summaryOf(changed);
}
