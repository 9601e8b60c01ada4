import type { Database } from '../storage/open-database.ts';

/** A made-up password that nobody has used for so long opens nothing any more. */
const unusedDays = 7;

/** Notes that a user's password was made up, or that it no longer is. */
export async function markTemporaryPassword(
  database: Database,
  { userId, hash, isMade }: { userId: string; hash: string; isMade: boolean },
): Promise<void> {
  await database.deleteFrom('made_passwords').where('user_id', '=', userId).execute();
  if (isMade) {
    const expires_at = new Date(Date.now() + unusedDays * 24 * 3600_000).toISOString();
    await database
      .insertInto('made_passwords')
      .values({ user_id: userId, password_hash: hash, expires_at })
      .execute();
  }
}

/**
 * Whether a user's password was made up and has not been used in time. One that is used does not expire
 * any more; who has it is asked to choose another.
 */
export async function isExpired(
  database: Database,
  { userId, hash }: { userId: string; hash: string },
): Promise<boolean> {
  const made = await findMade(database, userId);
  if (made?.password_hash !== hash || made.expires_at === null) {
    return false;
  }
  if (made.expires_at < new Date().toISOString()) {
    return true;
  }
  await database
    .updateTable('made_passwords')
    .set({ expires_at: null })
    .where('user_id', '=', userId)
    .execute();
  return false;
}

/** Whether the password a user has now was made up for them. */
export async function hasMadePassword(database: Database, userId: string): Promise<boolean> {
  const row = await database
    .selectFrom('made_passwords')
    .innerJoin('users', 'users.id', 'made_passwords.user_id')
    .select('users.id')
    .where('users.id', '=', userId)
    .whereRef('users.password_hash', '=', 'made_passwords.password_hash')
    .executeTakeFirst();
  return row !== undefined;
}

function findMade(database: Database, userId: string) {
  return database
    .selectFrom('made_passwords')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
}
