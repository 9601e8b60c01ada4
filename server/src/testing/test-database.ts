import { createHash } from 'node:crypto';
import pg from 'pg';
import { expect, inject } from 'vitest';
import type { DatabaseLocation } from '../platform/storage/open-database.ts';

/** Placeholder for a database name in the URL of the test cluster (see `start-postgres.ts`). */
export const nameMark = 'DATABASE_NAME';
export const templateName = 'knowhow_template';

interface TestDatabase {
  name: string;
  /** The test file that created it. */
  file: string | undefined;
}

let databases: TestDatabase[] = [];

/**
 * The database of a data folder. On PostgreSQL, each gets its own copy of the template, dropped
 * when the next file is tested.
 */
export async function createTestDatabase(dataDirectory: string): Promise<DatabaseLocation> {
  if (!onPostgres()) {
    return { dataDirectory };
  }
  const name = `knowhow_${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 24)}`;
  await asAdmin(async (admin) => {
    const { testPath: file } = expect.getState();
    const over = databases.filter((each) => each.file !== file);
    databases = databases.filter((each) => !over.includes(each));
    for (const each of over) {
      await admin.query(`drop database if exists ${each.name} with (force)`);
    }
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) {
      databases.push({ name, file });
      await admin.query(`create database ${name} template ${templateName}`);
    }
  });
  return { dataDirectory, databaseUrl: urlOf(name) };
}

/** Whether tests run on PostgreSQL. */
export function onPostgres(): boolean {
  return inject('postgres') !== '';
}

function urlOf(name: string): string {
  return inject('postgres').replace(nameMark, name);
}

async function asAdmin(run: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  try {
    await run(admin);
  } finally {
    await admin.end();
  }
}
