import { randomUUID } from 'node:crypto';
import type { Database } from '../../storage/open-database.ts';
import type { Account } from '../caller.ts';
import { type Directory, groupsOfUser } from '../identity.ts';
import { findLookalike, looksLike, usernameFault } from '../usernames.ts';
import type { Person } from './read-person.ts';

interface Joining {
  identity: string;
  person: Pick<Person, 'name' | 'username'>;
  directory: Directory;
}

export type LinkedAccount = Account & { username: string; isNew: boolean };

/** Names that are ours: an account of that name is not made for anybody who comes from elsewhere. */
const reserved = ['admin'];
const neutralName = 'user';
const mostAttempts = 20;

/** Who is known by this identity, whatever they are called; undefined for nobody. */
export function findByIdentity(database: Database, identity: string) {
  return database
    .selectFrom('users')
    .select(['id', 'username', 'name', 'groups', 'directory', 'disabled'])
    .where('identity', '=', identity)
    .executeTakeFirst();
}

/**
 * The account of this identity, with what is said of it now; made where there is none. It never becomes an
 * account of the same name, which gets to stay alone: the new one has another.
 */
export async function linkAccount(database: Database, joining: Joining): Promise<LinkedAccount> {
  const { identity, person, directory } = joining;
  const said = { name: person.name, directory: JSON.stringify(directory) };
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    await database.updateTable('users').set(said).where('identity', '=', identity).execute();
    const known = await findByIdentity(database, identity);
    if (known) {
      const { id, username, name } = known;
      return { id, username, name, groups: groupsOfUser(known), isNew: false };
    }
    const made = await makeAccount(database, joining, attempt);
    if (made) {
      return made;
    }
  }
  throw new Error(`No name was found for "${person.username}".`);
}

/** Undefined where the name, or the identity, is taken meanwhile. */
async function makeAccount(
  database: Database,
  { identity, person, directory }: Joining,
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
 * `ann`, then `ann-keycloak`, `ann-keycloak-2`, and in the end a name that no one has. A name that
 * imitates others becomes `user`.
 */
function candidate(username: string, provider: string, attempt: number): string {
  const base = reserved.some((name) => looksLike(name, username)) ? neutralName : username;
  const wanted = numbered(base, provider, attempt);
  return usernameFault(wanted) === undefined ? wanted : numbered(neutralName, provider, attempt);
}

function numbered(username: string, provider: string, attempt: number): string {
  const apart = `${username}-${provider}`;
  if (attempt === 0) {
    return username;
  }
  return attempt < mostAttempts - 1
    ? apart + (attempt === 1 ? '' : `-${attempt}`)
    : `${apart}-${randomUUID()}`;
}
