import type { Folder } from '@knowhow/shared/chat/folders';
import type { Database } from '../storage/open-database.ts';

/** Folders of conversations: no more than names that these have in common. */
export interface Folders {
  /** By name, without regard to case; those in which all is archived are left out. */
  list(owner: string): Promise<Folder[]>;
  /** Gives all that is in a folder another one; null for none. False where nothing is in it. */
  change(owner: string, name: string, next: string | null): Promise<boolean>;
}

/** More than anybody looks through. */
const mostListed = 500;

export function createFolders(database: Database): Folders {
  return {
    list: async (owner) => {
      const rows = await database
        .selectFrom('conversations')
        .select(({ fn }) => ['folder', fn.countAll<number | string | bigint>().as('count')])
        .where('owner', '=', owner)
        .where('folder', 'is not', null)
        .where('archived', '=', 0)
        .groupBy('folder')
        .limit(mostListed)
        .execute();
      return rows
        .map(({ folder, count }) => ({ name: folder ?? '', conversations: Number(count) }))
        .sort((one, other) => one.name.localeCompare(other.name));
    },
    change: async (owner, name, next) => {
      const { numUpdatedRows } = await database
        .updateTable('conversations')
        .set({ folder: next })
        .where('owner', '=', owner)
        .where('folder', '=', name)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
