import { type Kysely, sql } from 'kysely';
import { lineOwner } from './migrations/create-lines.ts';

/** Notes archived branches for indexing, oldest first. */
export async function noteLines<Tables>(database: Kysely<Tables>): Promise<void> {
  await sql`
    insert into search_pending (conversation_id, message_id)
    select conversations.id, messages.id
      from conversations join messages on messages.conversation_id = conversations.id
      where owner = ${lineOwner} and status <> 'running' order by updated_at, position
  `.execute(database);
}
