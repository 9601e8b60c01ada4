import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import type { Database } from '../../platform/storage/open-database.ts';
import { toSummary } from './conversation-rows.ts';

/** Fields to change; omitted ones stay the same. */
export interface Change {
  title?: string | undefined;
  pinned?: boolean | undefined;
  /** Archiving also unpins. */
  archived?: boolean | undefined;
  /** Null removes it from its folder. */
  folder?: string | null | undefined;
  /** Expected current title; the change only applies while it is still the same. */
  before?: string;
}

/** Applies a change; undefined if the owner has no such conversation. */
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
  return changed && toSummary(changed);
}
