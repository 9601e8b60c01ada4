import { join } from 'node:path';
import type { Database } from '../../platform/storage/open-database.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { Contents } from '../content/index.ts';
import { signedInCaller, userRow } from '../identity/index.ts';
import { dataPath } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import type { Choice } from './choose-entries.ts';
import { readRows } from './rows/read-rows.ts';

type UserRow = Schema['users'];

interface Expected {
  source: Pick<BackupSource, 'rows' | 'directory' | 'addsUsers'>;
  choice: Choice;
  /** The configuration after the restore. */
  contents: Contents;
}

/** Whether an enabled user with a password would have all admin permissions after a restore. */
export async function keepsAdmin(database: Database, expected: Expected): Promise<boolean> {
  const { source, choice, contents } = expected;
  const bringsUsers = choice.hasPart('data') && source.rows.has('users');
  if (!bringsUsers || source.addsUsers) {
    const now = await database.selectFrom('users').selectAll().execute();
    const replaced = bringsUsers ? await usersIn(source.directory, 'username') : new Set<string>();
    if (now.some((user) => !replaced.has(user.username) && isAdmin(user, contents))) {
      return true;
    }
  }
  if (bringsUsers) {
    for await (const users of readRows(join(source.directory, dataPath('users')), userRow)) {
      if (users.some((user) => isAdmin(user, contents))) {
        return true;
      }
    }
  }
  return false;
}

/** Whether a restore would disable sign-in, unless it is disabled already. */
export function disablesSignIn(now: Contents, after: Contents): boolean {
  const isOff = ({ platform }: Contents) => !platform.localAuth.enabled;
  return isOff(after) && !isOff(now);
}

/** IDs or usernames of the users in a backup. */
export async function usersIn(directory: string, by: 'id' | 'username'): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const users of readRows(join(directory, dataPath('users')), userRow)) {
    for (const { [by]: name } of users) {
      found.add(name);
    }
  }
  return found;
}

/** Groups of all users in a backup. */
export async function groupsIn(directory: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const users of readRows(join(directory, dataPath('users')), userRow)) {
    for (const { groups } of users) {
      for (const group of JSON.parse(groups) as string[]) {
        found.add(group);
      }
    }
  }
  return found;
}

function isAdmin(user: UserRow, contents: Contents): boolean {
  const { id, name, password_hash, disabled } = user;
  const groups = JSON.parse(user.groups) as string[];
  return (
    disabled === 0 &&
    password_hash !== null &&
    signedInCaller({ id, name, groups }, contents).permissions.adminAccess === 'all'
  );
}
