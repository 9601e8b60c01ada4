import type { Kysely } from 'kysely';
import { backupTable, type ModuleTables } from '../../platform/storage/module-tables.ts';
import { runStatements } from '../../platform/storage/run-statements.ts';
import { userPromptRow, userRow } from './backup-rows.ts';

export const identityTables: ModuleTables = {
  migrations: { '0060-identity': { up: createIdentityTables } },
  backup: [
    backupTable('users', {
      part: 'users',
      key: ['id'],
      unique: ['id', 'username', 'identity'],
      row: userRow,
    }),
    backupTable('user_prompts', {
      part: 'users',
      key: ['id'],
      unique: ['id'],
      row: userPromptRow,
      parents: { user_id: 'users' },
    }),
  ],
};

// Only users and their prompts are part of backups: a restore must not revive a session or a key.
declare module '../../platform/storage/schema.ts' {
  interface Schema {
    users: {
      id: string;
      /** Lower case. */
      username: string;
      name: string;
      password_hash: string | null;
      /** JSON: ids of groups. */
      groups: string;
      disabled: number;
      created_at: string;
      /** JSON: kinds and ids of favourites, newest first; null for none. */
      favourites: string | null;
      /** JSON: custom instructions; null for none. */
      preferences: string | null;
      /** JSON: answers to the questions of apps, by app id and variable name; null for none. */
      app_answers: string | null;
      /**
       * Issuer and subject at the identity provider, separated by a blank; null for local accounts.
       */
      identity: string | null;
      /** JSON: profile at the last sign-in with the provider; see `identity/identity.ts`. */
      directory: string | null;
    };
    /** Prompts that users have saved. */
    user_prompts: {
      id: string;
      user_id: string;
      name: string;
      text: string;
      /** JSON: ids of the groups it is shared with. */
      groups: string;
      created_at: string;
      updated_at: string;
    };
    sessions: {
      id: string;
      user_id: string;
      expires_at: string;
      /** Null for a session of an older version, as is the next. */
      created_at: string | null;
      /** To the minute. */
      last_used_at: string | null;
      /** Client of the session; null for a session of an older version, as is the next. */
      address: string | null;
      user_agent: string | null;
    };
    /** Sessions that started with an identity provider. */
    session_origins: {
      session_id: string;
      /** As `users.identity`. */
      identity: string;
      /**
       * The provider's session id, or the id of the parent session for a child session; null for
       * neither.
       */
      sid: string | null;
      /** Encrypted JSON: the provider and the tokens to end or renew the session. */
      details: string;
      /** Next check at the provider; null without a refresh token. */
      refresh_at: string | null;
      /** Name of the provider; null for sessions of an earlier version. */
      provider: string | null;
    };
    /** Temporary passwords that users have not replaced yet. */
    made_passwords: {
      user_id: string;
      /** Applies while the user has this hash. */
      password_hash: string;
      /** Expiry; null once it has been used. */
      expires_at: string | null;
    };
    second_factors: {
      user_id: string;
      /** Encrypted TOTP secret. */
      secret: string;
      /** Null until the user has confirmed it with a code. */
      confirmed_at: string | null;
      /** Time step of the last accepted code, against replay. */
      last_step: number;
    };
    recovery_codes: {
      user_id: string;
      /** SHA-256, in hex. */
      hash: string;
    };
    invitations: {
      id: string;
      /** SHA-256 of its token, in hex. */
      hash: string;
      note: string;
      /** JSON: ids of groups. */
      groups: string;
      /** Name of the creator. */
      created_by: string;
      /** Null for one of an earlier version. */
      created_by_id: string | null;
      created_at: string;
      expires_at: string;
    };
    /** Keys with which programs act on behalf of a user. */
    api_keys: {
      id: string;
      user_id: string;
      name: string;
      /** The displayable beginning of the key. */
      prefix: string;
      /** SHA-256 of the key, in hex. */
      hash: string;
      /** JSON. */
      scopes: string;
      created_at: string;
      /** Null for never. */
      expires_at: string | null;
      /** To the minute. */
      last_used_at: string | null;
    };
    /** Keys of programs without a user. */
    service_keys: {
      id: string;
      name: string;
      prefix: string;
      /** SHA-256 of the key, in hex. */
      hash: string;
      /** JSON. */
      scopes: string;
      /** JSON: ids of groups. */
      groups: string;
      /** JSON; null for the default quota. */
      quota: string | null;
      /** Name of the creator. */
      created_by: string;
      /** Null for one of an earlier version. */
      created_by_id: string | null;
      created_at: string;
      /** Null for never. */
      expires_at: string | null;
      /** To the minute. */
      last_used_at: string | null;
    };
    /** Daily usage. */
    usage_counts: {
      /** `user:<id>`, `key:<id>`, `group:<id>`. */
      holder: string;
      /** In UTC: `2026-11-23`. */
      day: string;
      turns: number;
      tokens: number;
    };
  }
}

const statements = [
  `create table users (
    id text primary key,
    username text not null unique,
    name text not null,
    password_hash text,
    groups text not null,
    disabled integer not null default 0,
    created_at text not null,
    favourites text,
    preferences text,
    app_answers text,
    identity text,
    directory text
  )`,
  'create unique index users_by_identity on users (identity)',
  `create table user_prompts (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    text text not null,
    groups text not null,
    created_at text not null,
    updated_at text not null
  )`,
  'create index user_prompts_by_user on user_prompts (user_id, name)',
  `create index user_prompts_shared on user_prompts (updated_at, id) where groups <> '[]'`,
  `create table sessions (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at text not null,
    created_at text,
    last_used_at text,
    address text,
    user_agent text
  )`,
  'create index sessions_by_user on sessions (user_id)',
  `create table session_origins (
    session_id text primary key references sessions (id) on delete cascade,
    identity text not null,
    sid text,
    details text not null,
    refresh_at text,
    provider text
  )`,
  'create index session_origins_by_identity on session_origins (identity)',
  `create table made_passwords (
    user_id text primary key references users (id) on delete cascade,
    password_hash text not null,
    expires_at text
  )`,
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
  `create table invitations (
    id text primary key,
    hash text not null unique,
    note text not null,
    groups text not null,
    created_by text not null,
    created_at text not null,
    expires_at text not null,
    created_by_id text
  )`,
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
    last_used_at text,
    created_by_id text
  )`,
  `create table usage_counts (
    holder text not null,
    day text not null,
    turns integer not null,
    tokens integer not null,
    primary key (holder, day)
  )`,
];

async function createIdentityTables(database: Kysely<never>): Promise<void> {
  await runStatements(database, statements);
}
