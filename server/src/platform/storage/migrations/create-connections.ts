import { type Kysely, sql } from 'kysely';

const statements = [
  `create table mcp_sign_ins (
    state text primary key,
    user_id text not null references users (id) on delete cascade,
    server text not null,
    expires_at text not null,
    details text not null
  )`,
  'create index mcp_sign_ins_by_user on mcp_sign_ins (user_id, expires_at)',
  `create table mcp_tokens (
    user_id text not null references users (id) on delete cascade,
    server text not null,
    issuer text not null,
    status text not null,
    details text not null,
    created_at text not null,
    updated_at text not null,
    primary key (user_id, server, issuer)
  )`,
  `create table mcp_clients (
    issuer text not null,
    redirect_url text not null,
    details text not null,
    created_at text not null,
    primary key (issuer, redirect_url)
  )`,
];

/** Connections of users to tool servers, sign-ins in progress, and our client registrations. */
export async function createConnections(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
