import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';

const log = [
  `create table activation_log (
    id text primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    message_id text not null,
    call integer,
    name text not null,
    description text not null,
    via text not null,
    tokens integer not null,
    checksum text not null,
    arguments text,
    text text,
    created_at text not null,
    ended_at text,
    end_reason text,
    ended_in text
  )`,
];

const takeOver = `insert into activation_log
    (id, conversation_id, message_id, name, description, via, tokens, checksum, arguments, created_at)
    select lower(hex(randomblob(16))), conversation_id, message_id, name, description, via, tokens,
      checksum, arguments, created_at from activations`;

const others = [
  'drop table activations',
  'alter table activation_log rename to activations',
  'create index activations_by_conversation on activations (conversation_id, created_at)',
  'create index activations_by_text on activations (text)',
  'create table skill_texts (checksum text primary key, content text not null)',
  `create table tool_results (
    message_id text not null references messages (id) on delete cascade,
    number integer not null,
    conversation_id text not null references conversations (id) on delete cascade,
    content text not null,
    is_error integer not null,
    images text,
    skills text not null,
    ms integer not null,
    primary key (message_id, number)
  )`,
  `create table vendor_states (
    message_id text not null references messages (id) on delete cascade,
    round integer not null,
    conversation_id text not null references conversations (id) on delete cascade,
    state text not null,
    primary key (message_id, round)
  )`,
  `create table compactions (
    id text primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    message_id text not null references messages (id) on delete cascade,
    kept_from integer not null,
    cleared_turn integer not null,
    cleared_call integer not null,
    summary text,
    skills text not null,
    created_at text not null
  )`,
  'create index compactions_by_conversation on compactions (conversation_id, created_at)',
];

/**
 * Turns the list of active skills into a log with an end for each activation, and adds tables for
 * replaying earlier turns. Existing activations have no text yet: their next turn reads it.
 */
export async function createRecords(database: Kysely<never>): Promise<void> {
  // A new PostgreSQL database has no rows yet.
  const former = isPostgres(database) ? [] : [takeOver];
  for (const statement of [...log, ...former, ...others]) {
    await sql.raw(statement).execute(database);
  }
}
