import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { defaultPlatform } from '@knowhow/shared/config/platform';
import { parseWith } from '@knowhow/shared/describe-issue';
import { problem } from '@knowhow/shared/problem';
import { allowVariables, openContentStore } from '../modules/content/index.ts';
import {
  checkNewPassword,
  createAccounts,
  createPasswords,
  getSessionLimits,
  parseDirectory,
  passwordRounds,
  randomPassword,
  removeSecondFactor,
} from '../modules/identity/index.ts';
import { createAuditLog } from '../platform/storage/audit-log.ts';
import type { Database } from '../platform/storage/open-database.ts';
import { openExistingDatabase } from './open-existing-database.ts';
import type { Terminal } from './terminal.ts';

/**
 * Sets a generated password, or one from standard input, and ends the user's sessions. A server may
 * be running.
 */
export async function resetPasswordCommand(
  username: string,
  { stdin }: { stdin: boolean },
  terminal: Terminal,
): Promise<number> {
  const input = stdin ? checked(await terminal.input()) : undefined;
  const installation = terminal.installation();
  const database = await openExistingDatabase(installation);
  const passwords = createPasswords(passwordRounds);
  const sessionLimits = () => getSessionLimits(defaultPlatform);
  try {
    const user = await findUser(database, username);
    const directory = parseDirectory(user);
    if (directory) {
      throw problem(
        'conflict',
        `"${user.username}" signs in with ${directory.title}: there is no password here to set.`,
      );
    }
    if (input !== undefined) {
      const { contentsDirectory, variables } = installation;
      const { platform } = (await openContentStore(contentsDirectory, allowVariables(variables)))
        .current;
      checkNewPassword(input, { username: user.username, platform });
    }
    const password = input ?? randomPassword();
    const accounts = createAccounts({ database, passwords, sessionLimits });
    await accounts.setPassword(user.id, { password, isMade: input === undefined });
    const hadFactor = await removeSecondFactor(database, user.id);
    await createAuditLog(database).record({
      by: { id: 'command', name: 'knowhow reset-password' },
      action: 'reset-password',
      kind: 'user',
      target: user.username,
    });
    terminal.out(
      input === undefined
        ? `The password of "${user.username}" is now: ${password}`
        : `The password of "${user.username}" is changed.`,
    );
    if (hadFactor) {
      terminal.error('Two-factor authentication was reset as well.');
    }
    if (user.disabled !== 0) {
      terminal.error(`"${user.username}" is disabled: an administrator has to enable it.`);
    }
    if (user.username === 'admin' && installation.adminPassword !== undefined) {
      terminal.error('ADMIN_PASSWORD is set: the next start sets that password again. Remove it.');
    }
    return 0;
  } finally {
    await passwords.close();
    await database.destroy();
  }
}

/** Strips the trailing line break. */
function checked(input: string): string {
  if (/[\r\n]/.test(input.replace(/\r?\n$/, ''))) {
    throw problem(
      'invalid-request',
      'A password is one line. Give it alone on the standard input.',
    );
  }
  const { data, error } = parseWith(adminUsersApi.resetPassword.body, {
    password: input.replace(/\r?\n$/, ''),
  });
  if (data?.password === undefined) {
    throw problem('invalid-request', error?.issues[0]?.message ?? 'There is no password.');
  }
  return data.password;
}

async function findUser(database: Database, username: string) {
  const users = await database
    .selectFrom('users')
    .select(['id', 'username', 'disabled', 'directory'])
    .orderBy('username')
    .execute();
  const found = users.find((user) => user.username === username.toLowerCase());
  if (!found) {
    const names = users.slice(0, 20).map((user) => user.username);
    throw problem('not-found', `There is no user "${username}". There are: ${names.join(', ')}.`);
  }
  return found;
}
