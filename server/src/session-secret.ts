import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newSessionSecret } from './modules/identity/index.ts';
import { toWriteProblem } from './platform/lib/write-problem.ts';
import type { Database } from './platform/storage/open-database.ts';

const name = 'sessions';

/**
 * The 32-byte secret that signs sessions, stored in the database. Migrates the key file of earlier
 * versions, so that users stay signed in, and removes it.
 */
export async function sessionSecret(database: Database, dataDirectory: string): Promise<Buffer> {
  const path = join(dataDirectory, 'session.key');
  const secret = (await find(database)) ?? (await keep(database, await readLegacyFile(path)));
  await rm(path, { force: true }).catch((error: unknown) => {
    throw toWriteProblem(error, `The key of sessions, ${path},`);
  });
  return secret;
}

async function find(database: Database): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row && Buffer.from(row.value, 'base64');
}

async function keep(database: Database, secret = newSessionSecret()): Promise<Buffer> {
  const value = secret.toString('base64');
  await database.insertInto('secrets').values({ name, value }).execute();
  return secret;
}

async function readLegacyFile(path: string): Promise<Buffer | undefined> {
  try {
    const bytes = existsSync(path) ? await readFile(path) : undefined;
    return bytes?.length === 32 ? bytes : undefined;
  } catch (error) {
    throw toWriteProblem(error, `The key of sessions, ${path},`);
  }
}
