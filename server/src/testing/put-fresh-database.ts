import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { databasePath, openDatabase } from '../platform/storage/open-database.ts';
import { tables } from '../tables.ts';
import { temporaryFolder } from './write-files.ts';

/** An empty database with all tables. */
let fresh: Promise<Buffer> | undefined;

/**
 * Copies an empty database into a new data folder. Shared by all servers of a worker, since
 * creating tables takes a third of a start.
 */
export async function putFreshDatabase(dataDirectory: string): Promise<void> {
  fresh ??= makeDatabase();
  const bytes = await fresh;
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await writeFile(databasePath(dataDirectory), bytes, { mode: 0o600 });
}

async function makeDatabase(): Promise<Buffer> {
  const folder = await temporaryFolder();
  const database = await openDatabase({ dataDirectory: folder }, tables.migrations);
  await database.destroy();
  return readFile(databasePath(folder));
}
