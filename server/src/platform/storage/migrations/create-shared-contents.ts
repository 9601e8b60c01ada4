import { type Kysely, sql } from 'kysely';

const statements = [
  `create table content_state (
    id integer primary key,
    generation integer not null,
    changed_at text not null
  )`,
  `create table content_files (
    path text primary key,
    sha256 text not null,
    executable integer not null
  )`,
  'create index content_files_by_content on content_files (sha256)',
  `create table content_blobs (
    sha256 text primary key,
    bytes blob not null
  )`,
];

/** Configuration and skills of an installation whose nodes load them from the database. */
export async function createSharedContents(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
