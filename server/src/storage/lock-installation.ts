import { lockFolder } from './lock-folder.ts';
import type { DatabasePlace } from './open-database.ts';
import { lockDatabase } from './postgres/lock-database.ts';

/** What an installation keeps, ours until it is given back, or until this process ends, however it ends. */
export interface InstallationLock {
  release(): Promise<void>;
}

/**
 * Takes the data folder and the database for this process alone.
 *
 * @param onLost called when the database is not ours any more, until it is taken again
 * @throws FolderInUse
 */
export async function lockInstallation(
  { dataDirectory, databaseUrl }: DatabasePlace,
  onLost: () => void = () => undefined,
): Promise<InstallationLock> {
  const folder = lockFolder(dataDirectory);
  try {
    const database =
      databaseUrl === undefined ? undefined : await lockDatabase(databaseUrl, onLost);
    return {
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
