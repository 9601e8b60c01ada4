import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Libsql from 'libsql';
import { type DatabaseLocation, databasePath } from '../platform/storage/open-database.ts';
import { execute } from './run-postgres.ts';
import { createTestDatabase } from './test-database.ts';

/** The user in the former database, with a conversation. */
export const formerUser = {
  username: 'ann',
  password: 'a long password of ann',
  conversationId: '7d6a9c1e-5b0f-4a53-9a52-0f6d2c1b8e44',
};

/**
 * Puts a database with the last of the former migrations, `0059-creators`, into a test's folder. The
 * release before the migrations were squashed filled it through its API.
 *
 * @param change SQL to run afterwards
 */
export async function putFormerDatabase(folder: string, change = ''): Promise<DatabaseLocation> {
  const place = await createTestDatabase(join(folder, 'data'));
  const { dataDirectory, databaseUrl } = place;
  if (databaseUrl === undefined) {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    await writeFile(databasePath(dataDirectory), await readFixture('sqlite'));
    const sqlite = new Libsql(databasePath(dataDirectory));
    sqlite.exec(change);
    sqlite.close();
  } else {
    await execute(databaseUrl, 'drop schema public cascade; create schema public');
    await execute(databaseUrl, (await readFixture('sql')).toString());
    await execute(databaseUrl, change);
  }
  return place;
}

async function readFixture(kind: 'sqlite' | 'sql'): Promise<Buffer> {
  const url = new URL(`databases/0059-creators.${kind}.gz`, import.meta.url);
  return gunzipSync(await readFile(url));
}
