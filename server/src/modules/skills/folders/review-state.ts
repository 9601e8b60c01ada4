import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';

/**
 * Whether edits of folders are reviewed, as the database says. It differs from the setting until the folders have been
 * compared with what is published. `restoring`: a restore replaces folders, or was interrupted.
 */
export type ReviewState = 'off' | 'on' | 'restoring';

export async function readReviewState(database: Kysely<Schema>): Promise<ReviewState> {
  const row = await database.selectFrom('skill_folder_review').select('state').executeTakeFirst();
  return row === undefined ? 'off' : row.state === 'restoring' ? 'restoring' : 'on';
}

export async function writeReviewState(database: Database, state: ReviewState): Promise<void> {
  await database.transaction().execute(async (write) => {
    await write.deleteFrom('skill_folder_review').execute();
    if (state !== 'off') {
      await write.insertInto('skill_folder_review').values({ state }).execute();
    }
  });
}
