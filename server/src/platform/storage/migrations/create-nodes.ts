import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../is-postgres.ts';

const statements = [
  `create table nodes (
    id text primary key,
    name text not null,
    version text not null,
    started integer not null,
    seen integer not null
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

/** Short-lived counters: on PostgreSQL they need no write-ahead log, and may be lost in a crash. */
const unloggedTables = ['window_counts', 'leaky_counts'];

/** Coordination of nodes. With SQLite there is one process, which keeps this in memory. */
export async function createNodes(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
  if (isPostgres(database)) {
    for (const table of unloggedTables) {
      await sql`alter table ${sql.table(table)} set unlogged`.execute(database);
    }
  }
}
