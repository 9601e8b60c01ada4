import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table sessions add column address text',
  'alter table sessions add column user_agent text',
  `create table second_factors (
    user_id text primary key references users (id) on delete cascade,
    secret text not null,
    confirmed_at text,
    last_step integer not null
  )`,
  `create table recovery_codes (
    user_id text not null references users (id) on delete cascade,
    hash text not null,
    primary key (user_id, hash)
  )`,
];

/** Session details, and second factors. */
export async function createSecondFactors(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
