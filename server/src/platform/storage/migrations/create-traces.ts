import { type Kysely, sql } from 'kysely';

const statements = [
  `create table traces (
    message_id text primary key references messages (id) on delete cascade,
    created_at text not null,
    bytes blob not null
  )`,
  'create index traces_by_time on traces (created_at)',
  'create table trace_parts (checksum text primary key, used_at text not null, bytes blob not null)',
  'create index trace_parts_by_time on trace_parts (used_at)',
];

/** Traces: what the model saw, for a limited time. Common parts are deduplicated. */
export async function createTraces(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
