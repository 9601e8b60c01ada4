import { randomUUID } from 'node:crypto';
import type { Database } from '../storage/open-database.ts';
import type { Account } from './caller.ts';
import { hashPassword, passwordMatches, randomPassword } from './passwords.ts';

/** Users and their sessions, in the database. */
export interface Accounts {
  /** Makes sure there is an `admin`; answers the password if one was made up just now. */
  ensureAdmin(password: string | undefined): Promise<string | undefined>;
  /** The account, or undefined for a wrong name or password. */
  checkPassword(username: string, password: string): Promise<Account | undefined>;
  createUser(user: NewUser): Promise<Account>;
  setGroups(userId: string, groups: string[]): Promise<void>;
  startSession(userId: string, seconds: number): Promise<string>;
  /** The account of a session that is still good. */
  findBySession(sessionId: string): Promise<Account | undefined>;
  endSession(sessionId: string): Promise<void>;
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
    checkPassword: (username, password) => checkPassword(database, username, password),
    createUser: (user) => createUser(database, hash, user),
    setGroups: async (userId, groups) => {
      await database
        .updateTable('users')
        .set({ groups: JSON.stringify(groups) })
        .where('id', '=', userId)
        .execute();
    },
    startSession: (userId, seconds) => startSession(database, userId, seconds),
    findBySession: (sessionId) => findBySession(database, sessionId),
    endSession: async (sessionId) => {
      await database.deleteFrom('sessions').where('id', '=', sessionId).execute();
    },
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
    await database
      .updateTable('users')
      .set({ password_hash: await hash(given) })
      .where('id', '=', admin.id)
      .execute();
    await database.deleteFrom('sessions').where('user_id', '=', admin.id).execute();
  }
  return undefined;
}

async function checkPassword(
  database: Database,
  username: string,
  password: string,
): Promise<Account | undefined> {
  const user = await findUser(database, username);
  const matches = await passwordMatches(password, user?.password_hash);
  return user && matches && user.disabled === 0 ? accountOf(user) : undefined;
}

async function createUser(database: Database, hash: Hash, user: NewUser): Promise<Account> {
  const row = {
    id: randomUUID(),
    username: user.username.toLowerCase(),
    name: user.name,
    password_hash: await hash(user.password),
    groups: JSON.stringify(user.groups),
    disabled: 0,
    created_at: new Date().toISOString(),
  };
  await database.insertInto('users').values(row).execute();
  return accountOf(row);
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
