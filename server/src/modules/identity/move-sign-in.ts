import type { User } from '@knowhow/shared/access/admin-users';
import { problem } from '@knowhow/shared/problem';
import type { Database } from '../../platform/storage/open-database.ts';
import { removeSecondFactor } from './second-factors.ts';
import { createSessions, type SessionLimits } from './sessions.ts';

interface Dependencies {
  database: Database;
  sessionLimits: () => SessionLimits;
}

/**
 * Moves the provider identity of one account to another that has a local password. The first
 * account is disabled. The second loses its password and second factor. Both are signed out. Throws
 * `conflict`.
 */
export async function moveSignIn(
  { database, sessionLimits }: Dependencies,
  { from, to }: { from: User; to: User },
): Promise<void> {
  check(from, to);
  await database.transaction().execute(async (transaction) => {
    const { identity, directory } = await transaction
      .selectFrom('users')
      .select(['identity', 'directory'])
      .where('id', '=', from.id)
      .executeTakeFirstOrThrow();
    const users = transaction.updateTable('users');
    await users
      .set({ identity: null, directory: null, disabled: 1 })
      .where('id', '=', from.id)
      .execute();
    await users.set({ identity, directory, password_hash: null }).where('id', '=', to.id).execute();
    await transaction.deleteFrom('made_passwords').where('user_id', '=', to.id).execute();
    const sessions = createSessions(transaction, sessionLimits);
    await sessions.endAllOf(from.id);
    await sessions.endAllOf(to.id);
  });
  await removeSecondFactor(database, to.id);
}

function check(from: User, to: User): void {
  if (!from.directory) {
    throw problem(
      'conflict',
      `${from.name} signs in here, with a password. Open the other account.`,
    );
  }
  if (to.directory) {
    throw problem(
      'conflict',
      `${to.name} signs in with ${to.directory.title} already. Choose an account with a password.`,
    );
  }
  if (to.username === 'admin') {
    throw problem(
      'conflict',
      '"admin" keeps its password, as a way in when no provider answers. Choose another account.',
    );
  }
}
