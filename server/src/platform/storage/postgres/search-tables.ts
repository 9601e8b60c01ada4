import type { Kysely } from 'kysely';
import { branchOwner } from '../branch-owner.ts';
import { runStatements } from '../run-statements.ts';

/**
 * The search index of messages and titles, as trigrams that are prefixed with the number of their
 * owner, so that a search reads nothing else. A title is a text without `message_id`. The triggers
 * note which texts to index; they name no columns, so that column types can still change.
 */
const statements = [
  `create table search_owners (
    number integer generated always as identity primary key, owner text not null unique
  )`,
  `create table search_texts (
    id bigint generated always as identity primary key,
    owner integer not null,
    conversation_id text not null,
    message_id text not null,
    groups text[] collate "C" not null,
    unique (conversation_id, message_id)
  )`,
  'create index search_texts_by_owner on search_texts (owner, id)',
  "create index search_texts_by_message on search_texts (message_id) where message_id <> ''",
  'create index search_texts_by_group on search_texts using gin (groups)',
  `create table search_pending (
    id bigint generated always as identity primary key,
    conversation_id text not null,
    message_id text not null
  )`,
  `create function note_message() returns trigger language plpgsql as $$ begin
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
  `create function note_title() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      delete from search_texts where conversation_id = old.id and message_id = '';
    elsif new.owner <> '${branchOwner}' and (tg_op = 'INSERT' or new.title <> old.title) then
      insert into search_pending (conversation_id, message_id) values (new.id, '');
    end if;
    return null;
  end $$`,
  `create trigger note_message after insert or update or delete on messages
    for each row execute function note_message()`,
  `create trigger note_title after insert or update or delete on conversations
    for each row execute function note_title()`,
];

export async function createPostgresSearch(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
