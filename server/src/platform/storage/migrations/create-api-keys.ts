import { type Kysely, sql } from 'kysely';

const statements = [
  `create table api_keys (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    prefix text not null,
    hash text not null unique,
    scopes text not null,
    created_at text not null,
    expires_at text,
    last_used_at text
  )`,
  'create index api_keys_by_user on api_keys (user_id, created_at)',
];

/** API keys, with which programs act on behalf of users. */
export async function createApiKeyTable(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
