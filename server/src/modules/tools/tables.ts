import type { Kysely } from 'kysely';
import type { ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';

export const toolTables: ModuleTables = {
  migrations: { '0065-tools': { up: createToolTables } },
};

// Not part of backups: consents and tokens must not be revived, and servers list their tools again.
declare module '../../platform/storage/schema.ts' {
  interface Schema {
    /** Approvals to run a tool without asking: by a user for always, or for one conversation. */
    tool_consents: {
      id: string;
      user_id: string | null;
      conversation_id: string | null;
      /** `<source>/<name>` */
      tool: string;
      /** Digest of the tool definition at that time. */
      digest: string;
      created_at: string;
    };
    /** Questions that turns wait for. */
    tool_questions: {
      conversation_id: string;
      /** Unique within the conversation. */
      id: string;
      expires_at: string;
      /** JSON; null until answered. */
      answer: string | null;
    };
    /** Tools of servers. Not part of backups, because servers list them again. */
    mcp_tools: {
      server: string;
      name: string;
      /** JSON: the approved definition; null for a new tool. */
      approved: string | null;
      /** JSON: the changed definition, if it waits for a review. */
      offered: string | null;
      is_there: number;
    };
    /** Connections of users to tool servers (OAuth). */
    /** Sign-ins in progress. */
    mcp_sign_ins: {
      /** SHA-256 of the state. */
      state: string;
      user_id: string;
      server: string;
      expires_at: string;
      /** Encrypted JSON: what the token exchange needs. */
      details: string;
    };
    /** Tokens of users at tool servers. */
    mcp_tokens: {
      user_id: string;
      server: string;
      issuer: string;
      /** `refused` once the issuer has rejected the refresh token. */
      status: 'signed-in' | 'refused';
      /** Encrypted JSON. */
      details: string;
      created_at: string;
      updated_at: string;
    };
    /** OAuth client registrations of this installation. */
    mcp_clients: {
      issuer: string;
      redirect_url: string;
      /** Encrypted JSON. */
      details: string;
      created_at: string;
    };
  }
}

const statements = [
  `create table tool_consents (
    id text primary key,
    user_id text references users (id) on delete cascade,
    conversation_id text references conversations (id) on delete cascade,
    tool text not null,
    digest text not null,
    created_at text not null
  )`,
  'create index tool_consents_by_user on tool_consents (user_id, tool)',
  'create index tool_consents_by_conversation on tool_consents (conversation_id, tool)',
  `create table tool_questions (
    conversation_id text not null references conversations (id) on delete cascade,
    id text not null,
    expires_at text not null,
    answer text,
    constraint tool_questions_key primary key (conversation_id, id)
  )`,
  `create table mcp_tools (
    server text not null,
    name text not null,
    approved text,
    offered text,
    is_there integer not null,
    primary key (server, name)
  )`,
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

async function createToolTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
