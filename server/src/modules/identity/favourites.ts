import { problem } from '@knowhow/shared/problem';
import {
  type FavouriteKind,
  favouriteRows,
  maxFavourites,
} from '@knowhow/shared/skills/favourites';
import { acquireTransactionLock } from '../../platform/storage/acquire-transaction-lock.ts';
import type { Database } from '../../platform/storage/open-database.ts';

/** A skill by its name, or a prompt by its id. */
export interface Favourite {
  kind: FavouriteKind;
  id: string;
}

/**
 * A user's favourites, newest first, including items that no longer exist or are not accessible.
 */
export async function getFavourites(database: Database, userId: string): Promise<Favourite[]> {
  const row = await database
    .selectFrom('users')
    .select('favourites')
    .where('id', '=', userId)
    .executeTakeFirst();
  return favouriteRows.parse(JSON.parse(row?.favourites ?? '[]'));
}

/** Adds or removes a favourite. Throws `conflict` if there are too many. */
export async function setFavourite(
  database: Database,
  userId: string,
  { isFavourite, kind, id }: Favourite & { isFavourite: boolean },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await acquireTransactionLock(transaction, `favourites ${userId}`);
    const before = await getFavourites(transaction, userId);
    const others = before.filter((each) => each.kind !== kind || each.id !== id);
    const after = isFavourite ? [{ kind, id }, ...others] : others;
    if (after.length > maxFavourites) {
      throw problem('conflict', `You have ${maxFavourites} favourites. Remove one first.`);
    }
    await transaction
      .updateTable('users')
      .set({ favourites: after.length === 0 ? null : JSON.stringify(after) })
      .where('id', '=', userId)
      .execute();
  });
}
