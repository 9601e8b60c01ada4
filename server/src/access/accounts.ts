import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { Database } from '../storage/open-database.ts';
import type { Account } from './caller.ts';
import { hashPassword, isForeignHash, passwordMatches, randomPassword } from './passwords.ts';

/** Users and their sessions, in the database. */
export interface Accounts {
  /** Makes sure there is an `admin`; answers the password if one was made up just now. */
  ensureAdmin(password: string | undefined): Promise<string | undefined>;
  /** The account, or undefined for a wrong name or password. */
  checkPassword(username: string, password: string): Promise<Account | undefined>;
  /** Answers the id. Throws `name-taken`. */
  createUser(user: NewUser): Promise<string>;
  /** Sets the password, and ends all sessions of the user. */
  setPassword(userId: string, password: string): Promise<void>;
  startSession(userId: string, seconds: number): Promise<string>;
  /** The account of a session that is still good. */
  findBySession(sessionId: string): Promise<Account | undefined>;
  endSession(sessionId: string): Promise<void>;
  endSessionsOf(userId: string): Promise<void>;
}

export interface NewUser {
  username: string;
  name: string;
  password: string;
  groups: string[];
}

/** @param passwordRounds the power of two of bcrypt's work */
export function createAccounts(database: Database, passwordRounds: number): Accounts {
  const hash = (password: string) => hashPassword(password, passwordRounds);
  return {
    ensureAdmin: (password) => ensureAdmin(database, hash, password),
    checkPassword: (username, password) => checkPassword(database, hash, { username, password }),
    createUser: (user) => createUser(database, hash, user),
    setPassword: (userId, password) => setPassword(database, hash, { userId, password }),
    startSession: (userId, seconds) => startSession(database, userId, seconds),
    findBySession: (sessionId) => findBySession(database, sessionId),
    endSession: async (sessionId) => {
      await database.deleteFrom('sessions').where('id', '=', sessionId).execute();
    },
    endSessionsOf: (userId) => endSessionsOf(database, userId),
  };
}

type Hash = (password: string) => Promise<string>;

async function ensureAdmin(
  database: Database,
  hash: Hash,
  given: string | undefined,
): Promise<string | undefined> {
  const admin = await findUser(database, 'admin');
  if (!admin) {
    const password = given ?? randomPassword();
    await createUser(database, hash, {
      username: 'admin',
      name: 'Admin',
      password,
      groups: ['admins'],
    });
    return given === undefined ? password : undefined;
  }
  if (given !== undefined && !(await passwordMatches(given, admin.password_hash))) {
    await setPassword(database, hash, { userId: admin.id, password: given });
  }
  return undefined;
}

async function checkPassword(
  database: Database,
  hash: Hash,
  { username, password }: { username: string; password: string },
): Promise<Account | undefined> {
  const user = await findUser(database, username);
  const matches = await passwordMatches(password, user?.password_hash);
  if (!user || !matches || user.disabled !== 0) {
    return undefined;
  }
  if (isForeignHash(user.password_hash)) {
    await database
      .updateTable('users')
      .set({ password_hash: await hash(password) })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .execute();
  }
  return accountOf(user);
}

async function createUser(database: Database, hash: Hash, user: NewUser): Promise<string> {
  const row = {
    id: randomUUID(),
    username: user.username.toLowerCase(),
    name: user.name,
    password_hash: await hash(user.password),
    groups: JSON.stringify(user.groups),
    disabled: 0,
    created_at: new Date().toISOString(),
  };
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('username').doNothing())
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) {
    const name = row.username;
    throw problem('name-taken', `There is a user "${name}" already. Choose another username.`);
  }
  return row.id;
}

async function setPassword(
  database: Database,
  hash: Hash,
  { userId, password }: { userId: string; password: string },
): Promise<void> {
  const password_hash = await hash(password);
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', userId)
      .execute();
    await endSessionsOf(transaction, userId);
  });
}

async function endSessionsOf(database: Database, userId: string): Promise<void> {
  await database.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

async function startSession(database: Database, userId: string, seconds: number): Promise<string> {
  const now = Date.now();
  await database
    .deleteFrom('sessions')
    .where('expires_at', '<', new Date(now).toISOString())
    .execute();
  const id = randomUUID();
  const expiresAt = new Date(now + seconds * 1000).toISOString();
  await database
    .insertInto('sessions')
    .values({ id, user_id: userId, expires_at: expiresAt })
    .execute();
  return id;
}

async function findBySession(database: Database, sessionId: string): Promise<Account | undefined> {
  const row = await database
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.name', 'users.groups'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', new Date().toISOString())
    .where('users.disabled', '=', 0)
    .executeTakeFirst();
  return row && accountOf(row);
}

function findUser(database: Database, username: string) {
  return database
    .selectFrom('users')
    .selectAll()
    .where('username', '=', username.toLowerCase())
    .executeTakeFirst();
}

function accountOf(row: { id: string; name: string; groups: string }): Account {
  return { id: row.id, name: row.name, groups: JSON.parse(row.groups) as string[] };
}
