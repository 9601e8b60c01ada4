import type { Kysely } from 'kysely';
import { runStatements } from './run-statements.ts';
import { idsPerOwner, maxSearchedCharacters } from './search-limits.ts';

const removal = (texts: string, operator: '=' | 'in') => `
  delete from search_index where rowid ${operator} (
    select id from search_texts where ${texts}
  );
  delete from search_texts where ${texts};`;

const working = 'not exists (select 1 from search_paused)';
const note = (conversation: string, message: string) =>
  `insert into search_pending (conversation_id, message_id) values (${conversation}, ${message});`;

const tables = [
  'create table search_owners (number integer primary key, owner text not null unique)',
  `create table search_texts (
    id integer primary key,
    conversation_id text not null,
    message_id text not null,
    unique (conversation_id, message_id)
  )`,
  "create index search_texts_by_message on search_texts (message_id) where message_id <> ''",
  // While this has a row, the triggers do nothing.
  'create table search_paused (since text not null)',
  // Texts to index, in order and with duplicates: notes cost little with each commit.
  `create table search_pending (
    id integer primary key, conversation_id text not null, message_id text not null
  )`,
  `create virtual table search_index using fts5(
    text, content='', contentless_delete=1, detail='none', tokenize='trigram remove_diacritics 1'
  )`,
  `create view search_input as
    select '' as conversation_id, '' as message_id, '' as text where false`,
];

const triggers = [
  `create trigger search_input_insert instead of insert on search_input begin
    ${removal('conversation_id = new.conversation_id and message_id = new.message_id', '=')}
    insert into search_owners (owner)
      select owner from conversations
      where id = new.conversation_id and owner not in (select owner from search_owners);
    insert into search_texts (id, conversation_id, message_id)
      select coalesce(
        (select max(id) from search_texts
          where id between number * ${idsPerOwner} and (number + 1) * ${idsPerOwner} - 1),
        number * ${idsPerOwner}
      ) + 1, new.conversation_id, new.message_id
      from search_owners
      where owner = (select owner from conversations where id = new.conversation_id);
    insert into search_index (rowid, text)
      select id, substr(new.text, 1, ${maxSearchedCharacters}) from search_texts
      where conversation_id = new.conversation_id and message_id = new.message_id;
  end`,
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
    ${removal("message_id = old.id and message_id <> ''", 'in')}
  end`,
  `create trigger search_title_insert after insert on conversations when ${working} begin
    ${note('new.id', "''")}
  end`,
  `create trigger search_title_update after update of title on conversations
    when new.title <> old.title and ${working} begin
      ${note('new.id', "''")}
  end`,
  `create trigger search_title_delete after delete on conversations when ${working} begin
    ${removal("conversation_id = old.id and message_id = ''", '=')}
  end`,
];

/**
 * Creates SQLite's search index of messages and titles: full-text search (FTS5) over trigrams,
 * without positions. A title is a text without `message_id`. A message belongs to the root
 * conversation of its branch. The triggers only note which texts to index, because indexing with
 * each commit takes longer than all other writes of a turn.
 *
 * All texts of an owner are adjacent, ordered by age: a search reads nothing else.
 */
export async function createSearchTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, [...tables, ...triggers]);
}
