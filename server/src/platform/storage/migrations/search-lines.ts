import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';
import { noteLines } from '../note-lines.ts';
import { lineOwner } from './create-lines.ts';

const byMessage =
  "create index search_texts_by_message on search_texts (message_id) where message_id <> ''";

const onSqlite = [
  'drop trigger search_message_move',
  'drop trigger search_message_delete',
  `create trigger search_message_delete after delete on messages
    when not exists (select 1 from search_paused) begin
      delete from search_index where rowid in (
        select id from search_texts where message_id = old.id and message_id <> ''
      );
      delete from search_texts where message_id = old.id and message_id <> '';
  end`,
  // Comparison answers were indexed without an owner.
  `delete from search_index where rowid in (
    select search_texts.id from search_texts
      join conversations on conversations.id = conversation_id where owner = '${lineOwner}'
  )`,
  `delete from search_texts
    where conversation_id in (select id from conversations where owner = '${lineOwner}')`,
];

const onPostgres = [
  `create or replace function note_message() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then
      if new.content = old.content and new.status = old.status then
        return null;
      end if;
    end if;
    if tg_op = 'DELETE' then
      delete from search_texts where message_id = old.id and message_id <> '';
    elsif new.status <> 'running' then
      insert into search_pending (conversation_id, message_id)
        values (new.conversation_id, new.id);
    end if;
    return null;
  end $$`,
];

/**
 * Makes archived branches searchable: in the index, a message belongs to the root conversation of
 * its branch, and stays there when the branch is archived or restored.
 */
export async function searchLines(database: Kysely<never>): Promise<void> {
  for (const statement of [byMessage, ...(isPostgres(database) ? onPostgres : onSqlite)]) {
    await sql.raw(statement).execute(database);
  }
  await noteLines(database);
}
