import { type Kysely, sql } from 'kysely';

const statements = [
  `create table invitations (
    id text primary key,
    hash text not null unique,
    note text not null,
    groups text not null,
    created_by text not null,
    created_at text not null,
    expires_at text not null
  )`,
  `create table provider_keys (
    variable text primary key,
    sealed text not null,
    updated_by text not null,
    updated_at text not null
  )`,
];

/** Invitations, and keys of model providers. */
export async function createInvitations(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
