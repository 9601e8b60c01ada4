import { lockFolder } from './lock-folder.ts';
import type { DatabasePlace } from './open-database.ts';
import { lockDatabase } from './postgres/lock-database.ts';

/** What an installation keeps, ours until it is given back, or until this process ends, however it ends. */
export interface InstallationLock {
  /** Whether no other process has the database; else others share it. */
  readonly isAlone: boolean;
  /** Lets others have the database, too, who share it. */
  share(): Promise<void>;
  release(): Promise<void>;
}

interface Options {
  /** Whether the database may be had beside others who share it. */
  mayShare?: boolean;
  /** Called when the database is not ours any more, until it is taken again. */
  onLost?: () => void;
}

/**
 * Takes the data folder and the database for this process, alone unless it may share the database.
 *
 * @throws FolderInUse
 */
export async function lockInstallation(
  { dataDirectory, databaseUrl }: DatabasePlace,
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
