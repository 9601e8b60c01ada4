import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { Transaction } from 'kysely';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import { revokeApiKeys } from './api-keys.ts';
import type { Account } from './caller.ts';
import { getUserGroups, parseDirectory } from './identity.ts';
import { isForeignHash, type Passwords, randomPassword } from './passwords.ts';
import { noSessionCache, type SessionCache } from './session-cache.ts';
import { createSessions, type SessionLimits, type SessionOrigin } from './sessions.ts';
import { checkUsername, normalizeUsername } from './usernames.ts';

/** Users and their sessions, in the database. */
export interface Accounts {
  /** Ensures that the user `admin` exists. Returns the password if one was generated. */
  ensureAdmin(password: string | undefined): Promise<string | undefined>;
  /**
   * Returns the account, or undefined for a wrong name or password. Calls from a busy address
   * (`from`) are queued behind others. Throws `password-expired` for a temporary password that was
   * not used in time.
   */
  checkPassword(username: string, password: string, from: string): Promise<Account | undefined>;
  /**
   * Returns the id. Throws `name-taken`.
   *
   * @param also runs in the same transaction: if it throws, no user is created
   */
  createUser(user: NewUser, also?: AlsoWrite): Promise<string>;
  /**
   * Sets the password and ends all sessions of the user. Also revokes API keys, unless users change
   * their own password. Throws `not-found` for a deleted user.
   */
  setPassword(userId: string, change: PasswordChange): Promise<void>;
  /** The name that a user signs in with. */
  usernameOf(userId: string): Promise<string | undefined>;
  /**
   * The title of the identity provider where the user signs in; undefined for a user with a local
   * password.
   */
  signsInWith(userId: string): Promise<string | undefined>;
  /** Whether the user still has a temporary password. */
  hasMadePassword(userId: string): Promise<boolean>;
  startSession(userId: string, seconds: number, from?: SessionOrigin): Promise<string>;
  /** The account of a valid session. Counts as use of the session. */
  findBySession(sessionId: string): Promise<Account | undefined>;
  endSession(sessionId: string): Promise<void>;
  /** @param but a session to keep */
  endSessionsOf(userId: string, but?: string): Promise<void>;
  /** Call it after a change of users: their sessions are read again on all nodes. */
  usersChanged(userIds: readonly string[]): Promise<void>;
}

export interface NewUser {
  username: string;
  name: string;
  password: string;
  /** Whether the password was generated, and therefore expires. */
  isMade: boolean;
  groups: string[];
}

type AlsoWrite = (transaction: Transaction<Schema>) => Promise<void>;

interface PasswordChange {
  password: string;
  /** Whether the password was generated. */
  isMade: boolean;
  /** The session in which users change their own password: it stays valid. */
  keep?: string | undefined;
}

interface Dependencies {
  database: Database;
  passwords: Passwords;
  sessionLimits: () => SessionLimits;
  /** By default, nothing is cached. */
  sessionCache?: SessionCache;
}

export function createAccounts(dependencies: Dependencies): Accounts {
  const { database, sessionCache = noSessionCache } = dependencies;
  const sessions = createSessions(database, dependencies.sessionLimits);
  return {
    ensureAdmin: (password) => ensureAdmin(dependencies, password),
    checkPassword: (username, password, from) =>
      checkPassword(dependencies, { username, password, from }),
    createUser: (user, also) => createUser(dependencies, user, also),
    setPassword: async (userId, change) => {
      await setPassword(dependencies, userId, change);
      await sessionCache.forget([userId]);
    },
    usernameOf: async (userId) => {
      const users = database.selectFrom('users').select('username');
      return (await users.where('id', '=', userId).executeTakeFirst())?.username;
    },
    signsInWith: async (userId) => {
      const users = database.selectFrom('users').select('directory');
      const user = await users.where('id', '=', userId).executeTakeFirst();
      return user && parseDirectory(user)?.title;
    },
    hasMadePassword: (userId) => hasTemporaryPassword(database, userId),
    startSession: async (userId, seconds, from) => {
      const id = await sessions.start(userId, seconds, from);
      // Ends the oldest session of a user who has too many.
      await sessionCache.forget([userId]);
      return id;
    },
    findBySession: (sessionId) => sessionCache.find(sessionId, () => sessions.find(sessionId)),
    endSession: async (sessionId) => {
      await sessions.end(sessionId);
      await sessionCache.forget([sessionId]);
    },
    endSessionsOf: async (userId, but) => {
      await sessions.endAllOf(userId, but);
      await sessionCache.forget([userId]);
    },
    usersChanged: sessionCache.forget,
  };
}

async function ensureAdmin(
  dependencies: Dependencies,
  given: string | undefined,
): Promise<string | undefined> {
  const { database, passwords } = dependencies;
  const admin = await findUser(database, 'admin');
  if (!admin) {
    const password = given ?? randomPassword();
    const isMade = given === undefined;
    const groups = ['admins'];
    const user = { username: 'admin', name: 'Admin', password, isMade, groups };
    await createUser(dependencies, user);
    return isMade ? password : undefined;
  }
  if (given !== undefined && !(await passwords.matches(given, admin.password_hash))) {
    await setPassword(dependencies, admin.id, { password: given, isMade: false });
  }
  return undefined;
}

async function checkPassword(
  { database, passwords }: Dependencies,
  { username, password, from }: { username: string; password: string; from: string },
): Promise<Account | undefined> {
  const user = await findUser(database, username);
  const matches = await passwords.matches(password, user?.password_hash, from);
  if (!user || user.password_hash === null || !matches || user.disabled !== 0) {
    return undefined;
  }
  if (await isTemporaryPasswordExpired(database, { userId: user.id, hash: user.password_hash })) {
    throw problem(
      'password-expired',
      'This temporary password has expired. Ask an administrator for a new one; for admin, run: npx knowhow reset-password',
    );
  }
  if (isForeignHash(user.password_hash)) {
    await database
      .updateTable('users')
      .set({ password_hash: await passwords.hash(password) })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .execute();
  }
  return { id: user.id, name: user.name, groups: getUserGroups(user) };
}

async function createUser(
  { database, passwords }: Dependencies,
  user: NewUser,
  also?: AlsoWrite,
): Promise<string> {
  const username = normalizeUsername(user.username);
  await checkUsername(database, username);
  const hash = await passwords.hash(user.password);
  const row = {
    id: randomUUID(),
    username,
    name: user.name,
    password_hash: hash,
    groups: JSON.stringify(user.groups),
    disabled: 0,
    created_at: new Date().toISOString(),
  };
  await database.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('users')
      .values(row)
      .onConflict((conflict) => conflict.column('username').doNothing())
      .executeTakeFirst();
    if (!numInsertedOrUpdatedRows) {
      const name = row.username;
      throw problem('name-taken', `There is a user "${name}" already. Choose another username.`);
    }
    await markTemporaryPassword(transaction, { userId: row.id, hash, isMade: user.isMade });
    await also?.(transaction);
  });
  return row.id;
}

async function setPassword(
  { database, passwords, sessionLimits }: Dependencies,
  userId: string,
  { password, isMade, keep }: PasswordChange,
): Promise<void> {
  const hash = await passwords.hash(password);
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set({ password_hash: hash })
      .where('id', '=', userId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw problem('not-found', 'This user has been deleted.');
    }
    await markTemporaryPassword(transaction, { userId, hash, isMade });
    await createSessions(transaction, sessionLimits).endAllOf(userId, keep);
    if (keep === undefined) {
      await revokeApiKeys(transaction, userId);
    }
  });
}

/** The accounts of users by id, without those that are disabled or deleted. */
export async function findAccounts(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, Account>> {
  if (ids.length === 0) {
    return new Map();
  }
  const users = await database
    .selectFrom('users')
    .select(['id', 'name', 'groups', 'directory'])
    .where('id', 'in', ids)
    .where('disabled', '=', 0)
    .execute();
  return new Map(
    users.map((user) => [user.id, { id: user.id, name: user.name, groups: getUserGroups(user) }]),
  );
}

/** Backups may hold names that are not normalized. */
async function findUser(database: Database, username: string) {
  const users = database.selectFrom('users').selectAll();
  const find = (name: string) => users.where('username', '=', name).executeTakeFirst();
  return (await find(username.toLowerCase())) ?? (await find(normalizeUsername(username)));
}

/** Days after which an unused temporary password expires. */
const validDays = 7;

/** Marks a user's password as temporary, or no longer so. */
async function markTemporaryPassword(
  database: Database,
  { userId, hash, isMade }: { userId: string; hash: string; isMade: boolean },
): Promise<void> {
  await database.deleteFrom('made_passwords').where('user_id', '=', userId).execute();
  if (isMade) {
    const expires_at = new Date(Date.now() + validDays * 24 * 3600_000).toISOString();
    await database
      .insertInto('made_passwords')
      .values({ user_id: userId, password_hash: hash, expires_at })
      .execute();
  }
}

/**
 * Whether a user's temporary password has expired unused. Once used, it no longer expires; its user
 * must choose another.
 */
async function isTemporaryPasswordExpired(
  database: Database,
  { userId, hash }: { userId: string; hash: string },
): Promise<boolean> {
  const temporary = await findTemporaryPassword(database, userId);
  if (temporary?.password_hash !== hash || temporary.expires_at === null) {
    return false;
  }
  if (temporary.expires_at < new Date().toISOString()) {
    return true;
  }
  await database
    .updateTable('made_passwords')
    .set({ expires_at: null })
    .where('user_id', '=', userId)
    .execute();
  return false;
}

/** Whether a user's current password is temporary. */
async function hasTemporaryPassword(database: Database, userId: string): Promise<boolean> {
  const row = await database
    .selectFrom('made_passwords')
    .innerJoin('users', 'users.id', 'made_passwords.user_id')
    .select('users.id')
    .where('users.id', '=', userId)
    .whereRef('users.password_hash', '=', 'made_passwords.password_hash')
    .executeTakeFirst();
  return row !== undefined;
}

function findTemporaryPassword(database: Database, userId: string) {
  return database
    .selectFrom('made_passwords')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
