import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';

const working = 'not exists (select 1 from search_paused)';
const note = (conversation: string, message: string) =>
  `insert into search_pending (conversation_id, message_id) values (${conversation}, ${message});`;
const removal = (conversation: string, message: string) => `
  delete from search_index where rowid = (
    select id from search_texts where conversation_id = ${conversation} and message_id = ${message}
  );
  delete from search_texts where conversation_id = ${conversation} and message_id = ${message};`;

const statements = [
  'alter table search_pending rename to search_pending_before',
  `create table search_pending (
    id integer primary key, conversation_id text not null, message_id text not null
  )`,
  `insert into search_pending (conversation_id, message_id)
    select conversation_id, message_id from search_pending_before`,
  ...['message', 'title'].flatMap((what) =>
    ['insert', 'update', 'delete'].map((event) => `drop trigger search_${what}_${event}`),
  ),
  'drop table search_pending_before',
  `create trigger search_message_insert after insert on messages
    when new.status <> 'running' and ${working} begin
      ${note('new.conversation_id', 'new.id')}
  end`,
  `create trigger search_message_update after update of content, status on messages
    when new.status <> 'running' and (new.status <> old.status or new.content <> old.content)
    and ${working} begin
      ${note('new.conversation_id', 'new.id')}
  end`,
  `create trigger search_message_delete after delete on messages when ${working} begin
    ${removal('old.conversation_id', 'old.id')}
  end`,
  `create trigger search_title_insert after insert on conversations when ${working} begin
    ${note('new.id', "''")}
  end`,
  `create trigger search_title_update after update of title on conversations
    when new.title <> old.title and ${working} begin
      ${note('new.id', "''")}
  end`,
  `create trigger search_title_delete after delete on conversations when ${working} begin
    ${removal('old.id', "''")}
  end`,
];

/**
 * Makes the notes for the index append-only, with duplicates, instead of ordered by id: each commit
 * wrote a page for each note. Notes of deleted texts stay, and match nothing. PostgreSQL's index
 * works like this from the start.
 */
export async function notesInOrder(database: Kysely<never>): Promise<void> {
  for (const statement of isPostgres(database) ? [] : statements) {
    await sql.raw(statement).execute(database);
  }
}
