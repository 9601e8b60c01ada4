import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Account } from '../caller.ts';
import { type Directory, getUserGroups } from '../identity.ts';
import { findLookalike, looksLike, usernameFault } from '../usernames.ts';
import type { Person } from './read-person.ts';

interface IdentityLink {
  identity: string;
  person: Pick<Person, 'name' | 'username'>;
  directory: Directory;
}

export type LinkedAccount = Account & { username: string; isNew: boolean };

/** Reserved usernames: accounts from a provider never get them. */
const reserved = ['admin'];
const neutralName = 'user';
const maxAttempts = 20;

/** The user with this identity, regardless of the username. */
export function findByIdentity(database: Database, identity: string) {
  return database
    .selectFrom('users')
    .select(['id', 'username', 'name', 'groups', 'directory', 'disabled'])
    .where('identity', '=', identity)
    .executeTakeFirst();
}

/**
 * Finds or creates the account of an identity and updates its profile. Never links to an existing
 * account of the same username: the new account gets another username.
 */
export async function linkAccount(database: Database, link: IdentityLink): Promise<LinkedAccount> {
  const { identity, person, directory } = link;
  const profile = { name: person.name, directory: JSON.stringify(directory) };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await database.updateTable('users').set(profile).where('identity', '=', identity).execute();
    const known = await findByIdentity(database, identity);
    if (known) {
      const { id, username, name } = known;
      return { id, username, name, groups: getUserGroups(known), isNew: false };
    }
    const created = await createAccount(database, link, attempt);
    if (created) {
      return created;
    }
  }
  throw new Error(`No free username was found for "${person.username}".`);
}

/** Undefined if the username or the identity has been taken in the meantime. */
async function createAccount(
  database: Database,
  { identity, person, directory }: IdentityLink,
  attempt: number,
): Promise<LinkedAccount | undefined> {
  const username = candidate(person.username, directory.provider, attempt);
  if ((await findLookalike(database, username)) !== undefined) {
    return undefined;
  }
  const row = {
    id: randomUUID(),
    username,
    name: person.name,
    password_hash: null,
    groups: '[]',
    disabled: 0,
    created_at: new Date().toISOString(),
    identity,
    directory: JSON.stringify(directory),
  };
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows
    ? { id: row.id, username, name: row.name, groups: directory.groups, isNew: true }
    : undefined;
}

/**
 * Suggests `ann`, then `ann-keycloak`, `ann-keycloak-2`, and finally a unique name. A name that
 * imitates others becomes `user`.
 */
function candidate(username: string, provider: string, attempt: number): string {
  const base = reserved.some((name) => looksLike(name, username)) ? neutralName : username;
  const wanted = numbered(base, provider, attempt);
  return usernameFault(wanted) === undefined ? wanted : numbered(neutralName, provider, attempt);
}

function numbered(username: string, provider: string, attempt: number): string {
  const qualified = `${username}-${provider}`;
  if (attempt === 0) {
    return username;
  }
  return attempt < maxAttempts - 1
    ? qualified + (attempt === 1 ? '' : `-${attempt}`)
    : `${qualified}-${randomUUID()}`;
}
