import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { type Database, openDatabase } from '../platform/storage/open-database.ts';
import { tables } from '../tables.ts';
import type { Installation } from './terminal.ts';

/** Opens an installation's existing database; a server may be using it. */
export async function openExistingDatabase(installation: Installation): Promise<Database> {
  const { dataDirectory } = installation;
  if (!(await hasDatabase(installation))) {
    throw problem(
      'not-found',
      `There is no database in ${dataDirectory}. Set DATA_DIR to the server's, or start it once.`,
    );
  }
  return openDatabase(installation, tables.migrations);
}

export async function hasDatabase(installation: Installation): Promise<boolean> {
  const { dataDirectory, databaseUrl } = installation;
  return databaseUrl !== undefined || isThere(join(dataDirectory, 'knowhow.sqlite'));
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
