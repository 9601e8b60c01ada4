import { type Kysely, sql } from 'kysely';

const statements = [
  `create table service_keys (
    id text primary key,
    name text not null,
    prefix text not null,
    hash text not null unique,
    scopes text not null,
    groups text not null,
    quota text,
    created_by text not null,
    created_at text not null,
    expires_at text,
    last_used_at text
  )`,
  `create table usage_counts (
    holder text not null,
    day text not null,
    turns integer not null,
    tokens integer not null,
    primary key (holder, day)
  )`,
];

/** Service keys, and usage counters. */
export async function createServiceKeyTables(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
