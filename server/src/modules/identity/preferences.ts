import {
  noPreferences,
  type Preferences,
  preferencesSchema,
} from '@knowhow/shared/access/preferences';
import type { Database } from '../../platform/storage/open-database.ts';

/** A user's custom instructions. Guests and users who have set nothing have none. */
export async function getPreferences(database: Database, userId: string): Promise<Preferences> {
  const row = await database
    .selectFrom('users')
    .select('preferences')
    .where('id', '=', userId)
    .executeTakeFirst();
  const stored = row?.preferences ?? null;
  return stored === null ? noPreferences : preferencesSchema.parse(JSON.parse(stored));
}

export async function setPreferences(
  database: Database,
  userId: string,
  preferences: Preferences,
): Promise<void> {
  await database
    .updateTable('users')
    .set({ preferences: JSON.stringify(preferences) })
    .where('id', '=', userId)
    .execute();
}
