import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';

const working = 'not exists (select 1 from search_paused)';
const pending = (conversation: string, message: string) =>
  `insert or ignore into search_pending values (${conversation}, ${message});`;
const removal = (conversation: string, message: string) => `
  delete from search_pending where conversation_id = ${conversation} and message_id = ${message};
  delete from search_index where rowid = (
    select id from search_texts where conversation_id = ${conversation} and message_id = ${message}
  );
  delete from search_texts where conversation_id = ${conversation} and message_id = ${message};`;

const statements = [
  `create table search_pending (
    conversation_id text not null, message_id text not null,
    primary key (conversation_id, message_id)
  ) without rowid`,
  ...['message', 'title'].flatMap((what) =>
    ['insert', 'update', 'delete'].map((event) => `drop trigger search_${what}_${event}`),
  ),
  `create trigger search_message_insert after insert on messages
    when new.status <> 'running' and ${working} begin
      ${pending('new.conversation_id', 'new.id')}
  end`,
  `create trigger search_message_update after update of content, status on messages
    when new.status <> 'running' and (new.status <> old.status or new.content <> old.content)
    and ${working} begin
      ${pending('new.conversation_id', 'new.id')}
  end`,
  `create trigger search_message_delete after delete on messages when ${working} begin
    ${removal('old.conversation_id', 'old.id')}
  end`,
  `create trigger search_title_insert after insert on conversations when ${working} begin
    ${pending('new.id', "''")}
  end`,
  `create trigger search_title_update after update of title on conversations
    when new.title <> old.title and ${working} begin
      ${pending('new.id', "''")}
  end`,
  `create trigger search_title_delete after delete on conversations when ${working} begin
    ${removal('old.id', "''")}
  end`,
];

/**
 * Makes the triggers only note which texts to index, which costs little. Indexing with each commit
 * took longer than all other writes of a turn. PostgreSQL's index works like this from the start.
 */
export async function indexLater(database: Kysely<never>): Promise<void> {
  for (const statement of isPostgres(database) ? [] : statements) {
    await sql.raw(statement).execute(database);
  }
}
