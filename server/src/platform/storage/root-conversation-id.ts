import { type RawBuilder, sql } from 'kysely';
import { branchOwner } from './branch-owner.ts';

/** The root conversation of a conversation, a branch, or a branch of a branch. */
export function rootConversationId(conversation: RawBuilder<string>): RawBuilder<string | null> {
  return sql`(
    with recursive up (id) as (
      select ${conversation}
      union all select lines.conversation_id from lines join up on lines.id = up.id
    ) select conversations.id from conversations join up on conversations.id = up.id
      where conversations.owner <> ${sql.lit(branchOwner)}
  )`;
}
