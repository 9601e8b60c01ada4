import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { formerMigrations } from '../../../platform/storage/former-migrations.ts';
import {
  type BackupTable,
  newestMigration,
  type TableList,
} from '../../../platform/storage/module-tables.ts';
import { type Database, openFormerDatabase } from '../../../platform/storage/open-database.ts';
import type { ReportIssue } from '../../skills/index.ts';
import { dataPath } from '../backup-paths.ts';
import type { BackupSource } from '../backup-source.ts';
import { exportTable } from '../export-table.ts';
import { refusedBackup } from '../refused-backup.ts';
import { RowFault, readValues } from './read-rows.ts';

/** Values that a database accepts; their meaning is checked later. */
const rowSchema = z.record(
  z.string(),
  z.union([z.string().refine((text) => !text.includes('\0')), z.number(), z.null()]),
);

interface Migrating {
  /** Latest migration of the exported tables; if undefined, the rows are used as they are. */
  migration: string | undefined;
  tables: TableList;
  report: ReportIssue;
}

/**
 * Migrates the rows of an unpacked backup: loads them into a database with the schema of their version, runs all
 * later migrations and rewrites the files. Reports rows that violate the old schema. Throws a problem for rows of a
 * newer version.
 */
export async function migrateFormerRows(
  { directory, app }: Pick<BackupSource, 'directory' | 'app'>,
  { migration, tables, report }: Migrating,
): Promise<void> {
  const { migrations } = tables;
  if (migration === undefined || migration === newestMigration(migrations)) {
    return;
  }
  if (!Object.hasOwn(migrations, migration) && !formerMigrations.includes(migration)) {
    throw refusedBackup({
      code: 'newer-version',
      message: `It was made by Knowhow ${app ?? 'in a later version'}, whose data format this version does not know. Upgrade first.`,
    });
  }
  const found = await findTables(directory, tables.backup);
  const path = join(directory, 'former.sqlite');
  const { database, migrate } = await openFormerDatabase(path, migration, migrations);
  try {
    for (const table of found) {
      await loadTable(database, table, directory);
    }
    await migrate();
    for (const table of found) {
      await writeTable(database, table, directory);
    }
  } catch (error) {
    if (!(error instanceof FormerRowFault)) {
      throw error;
    }
    report(dataPath(error.table), { code: 'row', message: error.message });
  } finally {
    await database.destroy();
    await rm(path, { force: true });
  }
}

class FormerRowFault extends Error {
  readonly table: string;

  constructor(table: string, message: string, cause: unknown) {
    super(message, { cause });
    this.table = table;
  }
}

async function findTables(
  directory: string,
  tables: readonly BackupTable[],
): Promise<BackupTable[]> {
  const found = await Promise.all(
    tables.map(({ name }) => stat(join(directory, dataPath(name))).catch(() => undefined)),
  );
  return tables.filter((_, at) => found[at] !== undefined);
}

async function loadTable(
  database: Database,
  { name }: BackupTable,
  directory: string,
): Promise<void> {
  let number = 0;
  try {
    for await (const values of readValues(join(directory, dataPath(name)))) {
      for (const value of values) {
        number += 1;
        const row = withBytes(withId(name, rowSchema.parse(value)));
        // The columns are those of an older schema, which the database checks.
        await database
          .insertInto(name)
          .values(row as never)
          .execute();
      }
    }
  } catch (error) {
    const message =
      error instanceof RowFault
        ? error.message
        : `Line ${number} is not a row as the release that made the backup stored it.`;
    throw new FormerRowFault(name, message, error);
  }
}

/** Before `0010-records`, activations had no ID. */
function withId(table: string, row: z.infer<typeof rowSchema>): z.infer<typeof rowSchema> {
  return table === 'activations' ? { id: randomUUID(), ...row } : row;
}

/** Contents of files are base64 in a backup; migrations read them as they are in a database. */
function withBytes(row: z.infer<typeof rowSchema>) {
  return typeof row.bytes === 'string'
    ? { ...row, bytes: Buffer.from(z.base64().parse(row.bytes), 'base64') }
    : row;
}

async function writeTable(
  database: Database,
  table: BackupTable,
  directory: string,
): Promise<void> {
  const path = join(directory, dataPath(table.name));
  const lines = Readable.from(exportTable(database, table), { objectMode: false });
  await pipeline(lines, createWriteStream(`${path}.new`, { flags: 'wx', mode: 0o600 }));
  await rename(`${path}.new`, path);
}
