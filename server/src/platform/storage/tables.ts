import type { Kysely } from 'kysely';
import { isPostgres } from './is-postgres.ts';
import type { ModuleTables } from './module-tables.ts';
import { unloggedTables } from './node-tables.ts';
import { createPostgresSearch } from './postgres/search-tables.ts';
import { runStatements } from './run-statements.ts';
import { createSearchTables } from './search-tables.ts';

/** The tables of the platform. They come last, because search has triggers on those of conversations. */
export const platformTables: ModuleTables = {
  migrations: { '0068-platform': { up: createPlatformTables } },
};

const statements = [
  `create table audit (
    id text primary key,
    at text not null,
    user_id text not null,
    user_name text not null,
    action text not null,
    kind text not null,
    target text not null,
    before text,
    after text
  )`,
  'create index audit_by_target on audit (kind, target, id)',
  'create index audit_by_kind on audit (kind, id)',
  'create table secrets (name text primary key, value text not null)',
  `create table nodes (
    id text primary key,
    name text not null,
    version text not null,
    started integer not null,
    seen integer not null,
    backend text
  )`,
  `create table leases (
    name text primary key,
    id text not null,
    node text not null,
    data text not null,
    until integer not null
  )`,
  'create index leases_by_node on leases (node)',
  `create table schedules (
    name text primary key,
    began integer not null
  )`,
  `create table window_counts (
    name text not null,
    key text not null,
    count integer not null,
    ends integer not null,
    primary key (name, key)
  )`,
  `create table leaky_counts (
    name text not null,
    key text not null,
    count real not null,
    at integer not null,
    added integer not null,
    primary key (name, key)
  )`,
];

async function createPlatformTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
  if (isPostgres(database)) {
    await runStatements(
      database,
      unloggedTables.map((table) => `alter table ${table} set unlogged`),
    );
    await createPostgresSearch(database);
  } else {
    await createSearchTables(database);
  }
}
