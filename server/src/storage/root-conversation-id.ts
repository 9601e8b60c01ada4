import { type RawBuilder, sql } from 'kysely';
import { lineOwner } from './migrations/create-lines.ts';

/** The id of the conversation that somebody has, for one that is it, or that holds a line of it, or a line of that. */
export function rootConversationId(conversation: RawBuilder<string>): RawBuilder<string | null> {
  return sql`(
    with recursive up (id) as (
      select ${conversation}
      union all select lines.conversation_id from lines join up on lines.id = up.id
    ) select conversations.id from conversations join up on conversations.id = up.id
      where conversations.owner <> ${sql.lit(lineOwner)}
  )`;
}
