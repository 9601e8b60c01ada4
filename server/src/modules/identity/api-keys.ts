import { randomUUID } from 'node:crypto';
import type { ApiKey } from '@knowhow/shared/access/api-keys';
import type { KeyScope } from '@knowhow/shared/access/key-scopes';
import { problem } from '@knowhow/shared/problem';
import type { Selectable } from 'kysely';
import { sha256 } from '../../platform/lib/sha256.ts';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { KeyHolder } from './caller.ts';
import { getUserGroups } from './identity.ts';
import { newKeySecret } from './key-secret.ts';
import { recordUse } from './record-use.ts';

/** API keys of users, stored as SHA-256 hashes. */
export interface ApiKeys {
  /** Newest first, including expired ones. */
  list(userId: string): Promise<ApiKey[]>;
  /**
   * Throws `conflict` if the user has too many keys. `key` is not stored and cannot be recovered.
   */
  create(userId: string, wanted: NewKey): Promise<{ key: string; details: ApiKey }>;
  /** Returns the deleted key. Throws `not-found` unless the user has it. */
  revoke(userId: string, id: string): Promise<ApiKey>;
  /** The owner of a valid key. Counts as use of the key. */
  find(key: string): Promise<KeyHolder | undefined>;
}

interface NewKey {
  name: string;
  scopes: readonly KeyScope[];
  expiresInDays?: number | undefined;
}

const mostKeys = 50;
const dayMs = 86_400_000;

export function createApiKeys(database: Database): ApiKeys {
  return {
    list: async (userId) => (await keysOf(database, userId).execute()).map(apiKeyOf),
    create: (userId, wanted) => create(database, userId, wanted),
    revoke: (userId, id) => revoke(database, userId, id),
    find: (key) => find(database, key),
  };
}

/** Revokes all keys of a user. */
export async function revokeApiKeys(database: Database, userId: string): Promise<void> {
  await database.deleteFrom('api_keys').where('user_id', '=', userId).execute();
}

async function create(
  database: Database,
  userId: string,
  { name, scopes, expiresInDays }: NewKey,
): Promise<{ key: string; details: ApiKey }> {
  const { key, prefix, hash } = newKeySecret();
  const now = Date.now();
  const row = {
    id: randomUUID(),
    user_id: userId,
    name,
    prefix,
    hash,
    scopes: JSON.stringify(scopes),
    created_at: new Date(now).toISOString(),
    expires_at:
      expiresInDays === undefined ? null : new Date(now + expiresInDays * dayMs).toISOString(),
    last_used_at: null,
  };
  await database.transaction().execute(async (write) => {
    await acquireTransactionLock(write, `keys ${userId}`);
    const { count } = await write
      .selectFrom('api_keys')
      .where('user_id', '=', userId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count >= mostKeys) {
      throw problem(
        'conflict',
        `You have ${mostKeys} keys already. Revoke one that is not needed.`,
      );
    }
    await write.insertInto('api_keys').values(row).execute();
  });
  return { key, details: apiKeyOf(row) };
}

async function revoke(database: Database, userId: string, id: string): Promise<ApiKey> {
  const row = await database
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw problem('not-found', 'You have no such key.');
  }
  return apiKeyOf(row);
}

async function find(database: Database, key: string): Promise<KeyHolder | undefined> {
  const now = Date.now();
  const row = await database
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['users.id', 'users.name', 'users.groups', 'users.directory', 'api_keys.id as key'])
    .select(['api_keys.scopes', 'api_keys.expires_at', 'api_keys.last_used_at'])
    .where('api_keys.hash', '=', sha256(key))
    .where('users.disabled', '=', 0)
    .executeTakeFirst();
  if (!row || (row.expires_at !== null && Date.parse(row.expires_at) <= now)) {
    return undefined;
  }
  await recordUse(database, 'api_keys', { id: row.key, lastUsedAt: row.last_used_at });
  const { id, name, scopes, key: keyId } = row;
  return {
    account: { id, name, groups: getUserGroups(row) },
    scopes: new Set(JSON.parse(scopes) as KeyScope[]),
    key: { id: keyId },
  };
}

function keysOf(database: Database, userId: string) {
  return database
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id');
}

function apiKeyOf(row: Selectable<Schema['api_keys']>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes) as KeyScope[],
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  };
}
