import type { User } from '@knowhow/shared/access/admin-users';
import type { Group } from '@knowhow/shared/access/groups';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import { problem } from '@knowhow/shared/problem';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { Contents } from '../content/index.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './caller.ts';
import { checkNewPassword } from './check-new-password.ts';
import { getUserGroups, parseDirectory } from './identity.ts';
import { moveSignIn } from './move-sign-in.ts';
import { randomPassword } from './passwords.ts';
import {
  adminRightsOfGroups,
  assertNoPrivilegeEscalation,
  heldRights,
} from './rights/admin-rights.ts';
import { assertMembershipsExist } from './rights/assert-groups-exist.ts';
import { getSessionLimits } from './sessions.ts';

/** User administration. At least one user always keeps all admin rights. */
export interface UserAdmin {
  /** By username. */
  list(): Promise<User[]>;
  /** Throws `not-found`. */
  get(id: string): Promise<User>;
  /**
   * Generates a password if none is given, and returns it. Throws `forbidden`, like all changes of
   * users.
   */
  create(user: NewUser, by: Caller): Promise<{ user: User; password?: string }>;
  update(id: string, change: UserChange, by: Caller): Promise<{ before: User; after: User }>;
  /** Deletes a disabled user. Throws `conflict` if the user has been enabled again. */
  remove(id: string): Promise<void>;
  /**
   * Sets a new password and ends all sessions. Generates a password if none is given, and returns
   * it.
   */
  resetPassword(id: string, by: Caller, given?: string): Promise<{ user: User; password?: string }>;
  /**
   * Moves the provider identity of one user to another: see `moveSignIn`. Returns both as they
   * were. Throws `forbidden` if one of them has admin rights that `by` lacks.
   */
  moveSignIn(fromId: string, toId: string, by: Caller): Promise<{ from: User; to: User }>;
  /** Throws `forbidden` if the user has admin rights that `by` lacks. */
  checkRights(id: string, by: Caller): Promise<void>;
  /** Throws if no user would have all admin rights with these groups. */
  checkGroups(groups: ReadonlyMap<string, Group>): Promise<void>;
  /** Throws if no user would have all admin rights with these settings. */
  checkPlatform(platform: PlatformConfig): Promise<void>;
}

interface NewUser {
  username: string;
  name: string;
  groups: string[];
  password?: string | undefined;
}

interface UserChange {
  name?: string | undefined;
  groups?: string[] | undefined;
  disabled?: boolean | undefined;
}

interface Dependencies {
  database: Database;
  accounts: Accounts;
  contents: () => Contents;
  /** Serializes changes here and those of groups. */
  withLock: <Result>(run: () => Promise<Result>) => Promise<Result>;
}

export function createUserAdmin(dependencies: Dependencies): UserAdmin {
  const { accounts, contents, withLock } = dependencies;
  const get = (id: string) => getUser(dependencies, id);
  return {
    list: () => listUsers(dependencies),
    get,
    create: async ({ password: given, ...user }, by) => {
      assertMembershipsExist(user.groups, contents());
      assertNoPrivilegeEscalation(by, adminRightsOfGroups(user.groups, contents()), moreGroups);
      const { password, isMade } = passwordFor(dependencies, user.username, given);
      const id = await accounts.createUser({ ...user, password, isMade });
      return { user: await get(id), ...(isMade ? { password } : {}) };
    },
    update: (id, change, by) => withLock(() => update(dependencies, { id, change, by })),
    remove: (id) => withLock(() => remove(dependencies, id)),
    checkRights: async (id, by) => assertMayAdminister(by, await get(id), contents()),
    resetPassword: async (id, by, given) => {
      const user = await get(id);
      assertMayAdminister(by, user, contents());
      assertLocalAccount(user, 'There is no password here to set.');
      const { password, isMade } = passwordFor(dependencies, user.username, given);
      await accounts.setPassword(id, { password, isMade });
      return { user, ...(isMade ? { password } : {}) };
    },
    moveSignIn: (fromId, toId, by) => withLock(() => move(dependencies, { fromId, toId, by })),
    checkGroups: (groups) => checkFullAdmin(dependencies, { ...contents(), groups }),
    checkPlatform: (platform) => checkFullAdmin(dependencies, { ...contents(), platform }),
  };
}

async function checkFullAdmin(dependencies: Dependencies, after: Contents): Promise<void> {
  const users = await listUsers(dependencies);
  if (!users.some((user) => hasAllRights(user, after))) {
    throw problem(
      'conflict',
      'No user would have all admin permissions. Keep adminAccess true for a group with an enabled user.',
    );
  }
}

/** The given password, if it is acceptable, or a generated one. */
function passwordFor({ contents }: Dependencies, username: string, given: string | undefined) {
  if (given === undefined) {
    return { password: randomPassword(), isMade: true };
  }
  checkNewPassword(given, { username, platform: contents().platform });
  return { password: given, isMade: false };
}

async function listUsers({ database, contents }: Dependencies): Promise<User[]> {
  const rows = await usersWithFactors(database).orderBy('username').execute();
  return rows.map((row) => userOf(row, contents()));
}

async function getUser({ database, contents }: Dependencies, id: string): Promise<User> {
  const row = await usersWithFactors(database).where('id', '=', id).executeTakeFirst();
  if (!row) {
    throw problem('not-found', `There is no user "${id}".`);
  }
  return userOf(row, contents());
}

interface Update {
  id: string;
  change: UserChange;
  by: Caller;
}

async function update(
  dependencies: Dependencies,
  { id, change, by }: Update,
): Promise<{ before: User; after: User }> {
  const { database, accounts, contents } = dependencies;
  const before = await getUser(dependencies, id);
  const { name = before.name, groups = before.groups, disabled = before.disabled } = change;
  assertMayAdminister(by, before, contents());
  if (disabled && id === by.id) {
    throw problem('conflict', 'You cannot disable yourself. Ask another administrator to do it.');
  }
  if (name !== before.name) {
    assertLocalAccount(before, 'Their name is changed there, and comes with their next sign-in.');
  }
  const wanted = { ...before, name, groups, disabled };
  assertMembershipsExist(groups, contents(), before.groups);
  assertNoPrivilegeEscalation(
    by,
    adminRightsOfGroups(getAllGroups(wanted), contents()),
    moreGroups,
  );
  const others = (await listUsers(dependencies)).filter((user) => user.id !== id);
  if (![wanted, ...others].some((user) => hasAllRights(user, contents()))) {
    throw problem(
      'conflict',
      `${before.name} is the last user with all admin permissions. Give them to another user first.`,
    );
  }
  await database
    .updateTable('users')
    .set({ name, groups: JSON.stringify(groups), disabled: Number(disabled) })
    .where('id', '=', id)
    .execute();
  await (disabled ? accounts.endSessionsOf(id) : accounts.usersChanged([id]));
  return { before, after: await getUser(dependencies, id) };
}

interface Move {
  fromId: string;
  toId: string;
  by: Caller;
}

async function move(dependencies: Dependencies, { fromId, toId, by }: Move) {
  const { accounts, contents, database } = dependencies;
  const [from, to] = [await getUser(dependencies, fromId), await getUser(dependencies, toId)];
  assertMayAdminister(by, from, contents());
  assertMayAdminister(by, to, contents());
  const { directory, ...rest } = from;
  const others = (await listUsers(dependencies)).filter(({ id }) => id !== fromId && id !== toId);
  const after = [
    { ...rest, disabled: true },
    { ...to, ...(directory && { directory }) },
    ...others,
  ];
  if (!after.some((user) => hasAllRights(user, contents()))) {
    throw problem(
      'conflict',
      `${from.name} is the last user with all admin permissions. Give them to another user first.`,
    );
  }
  const sessionLimits = () => getSessionLimits(contents().platform);
  await moveSignIn({ database, sessionLimits }, { from, to });
  await accounts.usersChanged([fromId, toId]);
  return { from, to };
}

function assertLocalAccount({ name, directory }: User, sentence: string): void {
  if (directory) {
    throw problem('conflict', `${name} signs in with ${directory.title}. ${sentence}`);
  }
}

async function remove({ database, accounts }: Dependencies, id: string): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('users')
    .where('id', '=', id)
    .where('disabled', '=', 1)
    .executeTakeFirst();
  if (numDeletedRows === 0n) {
    throw problem(
      'conflict',
      'This user was enabled again in the meantime. Reload, and try again.',
    );
  }
  await accounts.usersChanged([id]);
  await database.deleteFrom('usage_counts').where('holder', '=', `user:${id}`).execute();
}

function usersWithFactors(database: Database) {
  return database
    .selectFrom('users')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .selectAll('users')
    .select('second_factors.confirmed_at as factor_since');
}

type UserRow = Schema['users'] & { factor_since: string | null };

function userOf(row: UserRow, contents: Contents): User {
  const { id, username, name } = row;
  const directory = parseDirectory(row);
  return {
    id,
    username,
    name,
    groups: JSON.parse(row.groups) as string[],
    ...(directory && { directory }),
    disabled: row.disabled !== 0,
    ...heldRights(adminRightsOfGroups(getUserGroups(row), contents)),
    ...(row.factor_since === null ? {} : { hasSecondFactor: true as const }),
    createdAt: row.created_at,
  };
}

/** Groups that an administrator has assigned, and groups from the identity provider. */
export function getAllGroups({ groups, directory }: Pick<User, 'groups' | 'directory'>): string[] {
  return [...new Set([...groups, ...(directory?.groups ?? [])])];
}

function hasAllRights(user: User, contents: Contents): boolean {
  return !user.disabled && adminRightsOfGroups(getAllGroups(user), contents) === 'all';
}

const moreGroups = 'These groups would let them administer more than you do.';

/**
 * Prevents privilege escalation: signing in as a user, or locking a user out, gives or takes that
 * user's rights.
 */
function assertMayAdminister(by: Caller, user: User, contents: Contents): void {
  const rights = adminRightsOfGroups(getAllGroups(user), contents);
  assertNoPrivilegeEscalation(by, rights, `${user.name} administers more than you do.`);
}
