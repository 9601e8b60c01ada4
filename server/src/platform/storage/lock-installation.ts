import { lockFolder } from './lock-folder.ts';
import type { DatabaseLocation } from './open-database.ts';
import { lockDatabase } from './postgres/lock-database.ts';

/**
 * Exclusive use of the data folder and the database, until released or until this process ends,
 * however it ends.
 */
export interface InstallationLock {
  /** Whether no other process uses the database; otherwise it is shared. */
  readonly isAlone: boolean;
  /** Lets other processes share the database. */
  share(): Promise<void>;
  release(): Promise<void>;
}

interface Options {
  /** Whether the database may be shared with other processes. */
  mayShare?: boolean;
  /** Called when the lock of the database is lost, until it is reacquired. */
  onLost?: () => void;
}

/**
 * Locks the data folder, and the database: exclusively, unless sharing is allowed.
 *
 * @throws FolderInUse
 */
export async function lockInstallation(
  { dataDirectory, databaseUrl }: DatabaseLocation,
  { mayShare = false, onLost = () => undefined }: Options = {},
): Promise<InstallationLock> {
  const folder = lockFolder(dataDirectory);
  try {
    const database =
      databaseUrl === undefined ? undefined : await lockDatabase(databaseUrl, { mayShare, onLost });
    return {
      isAlone: database?.isAlone ?? true,
      share: async () => database?.share(),
      release: async () => {
        await database?.release();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}
