import type { Database } from '../../platform/storage/open-database.ts';

/** Days after which an unused temporary password expires. */
const validDays = 7;

/** Marks a user's password as temporary, or no longer so. */
export async function markTemporaryPassword(
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
export async function isTemporaryPasswordExpired(
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
export async function hasTemporaryPassword(database: Database, userId: string): Promise<boolean> {
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
