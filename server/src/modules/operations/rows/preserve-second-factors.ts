import type { Transaction } from 'kysely';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

/**
 * Reads the second factors of all users before these are replaced. The returned function restores them for users that
 * exist again, so that a restore does not disable two-factor authentication.
 */
export async function preserveSecondFactors(
  write: Transaction<Schema>,
): Promise<() => Promise<void>> {
  const factors = await write.selectFrom('second_factors').selectAll().execute();
  const codes = await write.selectFrom('recovery_codes').selectAll().execute();
  return async () => {
    const ids = factors.map(({ user_id }) => user_id);
    const users = await write
      .selectFrom('users')
      .select('id')
      .where('id', 'in', inList(ids))
      .execute();
    const known = new Set(users.map(({ id }) => id));
    for (const factor of factors.filter(({ user_id }) => known.has(user_id))) {
      await write.insertInto('second_factors').values(factor).execute();
    }
    for (const code of codes.filter(({ user_id }) => known.has(user_id))) {
      await write.insertInto('recovery_codes').values(code).execute();
    }
  };
}
