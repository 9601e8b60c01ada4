import { randomUUID } from 'node:crypto';
import type { ServiceKeyScope } from '@knowhow/shared/access/key-scopes';
import type { Quota } from '@knowhow/shared/access/quotas';
import type { ServiceKey } from '@knowhow/shared/access/service-keys';
import { problem } from '@knowhow/shared/problem';
import type { Selectable } from 'kysely';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { Contents } from '../content/index.ts';
import type { Caller, KeyHolder } from './caller.ts';
import { newKeySecret } from './key-secret.ts';
import { computePermissions } from './permissions.ts';
import { recordUse } from './record-use.ts';
import { assertNoPrivilegeEscalation } from './rights/admin-rights.ts';
import { assertMembershipsExist } from './rights/assert-groups-exist.ts';
import { creatorCheck, requireRight } from './rights/check-creator.ts';

/** API keys of programs without a user, stored as SHA-256 hashes. */
export interface ServiceKeys {
  /** Newest first, including expired ones. */
  list(): Promise<ServiceKey[]>;
  /** Throws `conflict` if there are too many. `key` is not stored and cannot be recovered. */
  create(wanted: NewServiceKey): Promise<{ key: string; details: ServiceKey }>;
  /** Returns the deleted key. Throws `not-found`. */
  revoke(id: string): Promise<ServiceKey>;
  /** The holder of a valid key. Counts as use of the key. */
  find(key: string): Promise<KeyHolder | undefined>;
}

interface NewServiceKey {
  name: string;
  scopes: readonly ServiceKeyScope[];
  groups: readonly string[];
  quota?: Quota | undefined;
  expiresInDays?: number | undefined;
  createdBy: Caller;
}

type Row = Selectable<Schema['service_keys']>;

const maxKeys = 500;
const dayMs = 86_400_000;

/** Throws unless an administrator may create a key for these groups. */
export function checkServiceKey(by: Caller, groups: string[], contents: Contents): void {
  requireRight(by, 'keys');
  assertMembershipsExist(groups, contents);
  // A key has no admin rights, but it uses the apps and tools of these groups.
  const rights = computePermissions(groups, contents.groups).adminAccess;
  assertNoPrivilegeEscalation(by, rights, 'Members of these groups administer more than you do.');
}

export function createServiceKeys(database: Database, contents: () => Contents): ServiceKeys {
  const list = async () => {
    const rows = await database
      .selectFrom('service_keys')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
    const state = contents();
    const check = (by: Caller, row: Row) => checkServiceKey(by, groupsOf(row), state);
    const isEntitled = await creatorCheck(database, rows, { contents: state, check });
    return rows.map((row) => ({
      ...serviceKeyOf(row),
      ...(row.created_by_id !== null && !isEntitled(row) && { creatorLostRights: true as const }),
    }));
  };
  return {
    list,
    create: async (wanted) => {
      if ((await list()).length >= maxKeys) {
        throw problem('conflict', `There are ${maxKeys} keys already. Revoke one first.`);
      }
      return create(database, wanted);
    },
    revoke: async (id) => {
      const row = await database
        .deleteFrom('service_keys')
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) {
        throw problem('not-found', 'There is no such key: it may have been revoked already.');
      }
      return serviceKeyOf(row);
    },
    find: (key) => find(database, key),
  };
}

/** The user ID that owns the conversations of a key. */
export function serviceKeyOwner(id: string): string {
  return `key:${id}`;
}

async function create(
  database: Database,
  { name, scopes, groups, quota, expiresInDays, createdBy }: NewServiceKey,
): Promise<{ key: string; details: ServiceKey }> {
  const { key, prefix, hash } = newKeySecret();
  const now = Date.now();
  const row = {
    id: randomUUID(),
    name,
    prefix,
    hash,
    scopes: JSON.stringify(scopes),
    groups: JSON.stringify(groups),
    quota: quota === undefined ? null : JSON.stringify(quota),
    created_by: createdBy.name,
    created_by_id: createdBy.id,
    created_at: new Date(now).toISOString(),
    expires_at:
      expiresInDays === undefined ? null : new Date(now + expiresInDays * dayMs).toISOString(),
    last_used_at: null,
  };
  await database.insertInto('service_keys').values(row).execute();
  return { key, details: serviceKeyOf(row) };
}

async function find(database: Database, key: string): Promise<KeyHolder | undefined> {
  const now = Date.now();
  const row = await database
    .selectFrom('service_keys')
    .selectAll()
    .where('hash', '=', sha256(key))
    .executeTakeFirst();
  if (!row || (row.expires_at !== null && Date.parse(row.expires_at) <= now)) {
    return undefined;
  }
  await recordUse(database, 'service_keys', { id: row.id, lastUsedAt: row.last_used_at });
  const { name, groups, scopes, quota } = serviceKeyOf(row);
  return {
    account: { id: serviceKeyOwner(row.id), name, groups },
    scopes: new Set(scopes),
    key: { id: row.id, quota },
  };
}

function groupsOf(row: Row): string[] {
  return JSON.parse(row.groups) as string[];
}

function serviceKeyOf(row: Row): ServiceKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdBy: row.created_by,
    scopes: JSON.parse(row.scopes) as ServiceKeyScope[],
    groups: groupsOf(row),
    ...(row.quota === null ? {} : { quota: JSON.parse(row.quota) as Quota }),
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  };
}
