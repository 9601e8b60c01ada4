import type { Folder } from '@knowhow/shared/chat/folders';
import type { Database } from '../../platform/storage/open-database.ts';

/** Folders of conversations. A folder is just a name that its conversations share. */
export interface Folders {
  /** Sorted by name, case-insensitively; folders whose conversations are all archived are omitted. */
  list(owner: string): Promise<Folder[]>;
  /** Renames a folder, or dissolves it if `next` is null. False if it is empty. */
  change(owner: string, name: string, next: string | null): Promise<boolean>;
}

/** Maximum number of folders listed. */
const maxListed = 500;

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
        .limit(maxListed)
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
