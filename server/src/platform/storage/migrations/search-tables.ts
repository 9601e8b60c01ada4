import { type Kysely, sql } from 'kysely';
import { fillSearch } from '../fill-search.ts';
import { isPostgres } from '../is-postgres.ts';
import { createPostgresSearch } from '../postgres/search-tables.ts';
import { idsPerOwner, maxSearchedCharacters } from '../search-limits.ts';

/**
 * The search index of messages and titles: SQLite's full-text search (FTS5) over trigrams, without
 * positions. A title is a text without `message_id`. These triggers index each text as it is
 * written; those of `index-later.ts`, which replace them, only note it.
 *
 * All texts of an owner are adjacent, ordered by age: a search reads nothing else.
 */
const tables = [
  'create table search_owners (number integer primary key, owner text not null unique)',
  `create table search_texts (
    id integer primary key,
    conversation_id text not null,
    message_id text not null,
    unique (conversation_id, message_id)
  )`,
  // While this has a row, the triggers do nothing.
  'create table search_paused (since text not null)',
  `create virtual table search_index using fts5(
    text, content='', contentless_delete=1, detail='none', tokenize='trigram remove_diacritics 1'
  )`,
  `create view search_input as
    select '' as conversation_id, '' as message_id, '' as text where false`,
];

const removal = (conversation: string, message: string) => `
  delete from search_index where rowid = (
    select id from search_texts where conversation_id = ${conversation} and message_id = ${message}
  );
  delete from search_texts where conversation_id = ${conversation} and message_id = ${message};`;

const working = 'not exists (select 1 from search_paused)';

const triggers = [
  `create trigger search_input_insert instead of insert on search_input begin
    ${removal('new.conversation_id', 'new.message_id')}
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
      insert into search_input values (new.conversation_id, new.id, new.content);
  end`,
  `create trigger search_message_update after update of content, status on messages
    when new.status <> 'running' and (new.status <> old.status or new.content <> old.content)
    and ${working} begin
      insert into search_input values (new.conversation_id, new.id, new.content);
  end`,
  `create trigger search_message_delete after delete on messages when ${working} begin
    ${removal('old.conversation_id', 'old.id')}
  end`,
  `create trigger search_title_insert after insert on conversations when ${working} begin
    insert into search_input values (new.id, '', new.title);
  end`,
  `create trigger search_title_update after update of title on conversations
    when new.title <> old.title and ${working} begin
      insert into search_input values (new.id, '', new.title);
  end`,
  `create trigger search_title_delete after delete on conversations when ${working} begin
    ${removal('old.id', "''")}
  end`,
];

/** Creates the tables of the search index and fills them. */
export async function createSearchTables(database: Kysely<never>): Promise<void> {
  if (isPostgres(database)) {
    await createPostgresSearch(database);
    return;
  }
  for (const statement of [...tables, ...triggers]) {
    await sql.raw(statement).execute(database);
  }
  await fillSearch(database);
}
