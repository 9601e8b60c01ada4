import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { Kysely, type Logger, Migrator } from 'kysely';
import { toWriteProblem } from '../lib/write-problem.ts';
import { assertNotTruncated, markInUse } from './assert-not-truncated.ts';
import { DurableDialect, type LogFile, openLogFile } from './durable-dialect.ts';
import {
  describeOlderVersion,
  squashedEnd,
  takeOverFormerMigrations,
} from './former-migrations.ts';
import { type Migrations, newestMigration } from './module-tables.ts';
import { openFile } from './open-file.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Location of the database: a PostgreSQL URL, otherwise an SQLite file in the data folder. */
export interface DatabaseLocation {
  dataDirectory: string;
  databaseUrl?: string | undefined;
}

/**
 * Opens the database, creates it if it is missing, and applies migrations. Writes are durable once
 * acknowledged. Throws `conflict` if it belongs to a version of Knowhow that is too old or newer.
 *
 * @param log called with each query
 */
export function openDatabase(
  { dataDirectory, databaseUrl }: DatabaseLocation,
  migrations: Migrations,
  log?: Logger,
): Promise<Database> {
  return databaseUrl === undefined
    ? openSqlite(dataDirectory, migrations, log)
    : openPostgres(databaseUrl, migrations, log);
}

async function openSqlite(
  directory: string,
  migrations: Migrations,
  log: Logger | undefined,
): Promise<Database> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = databasePath(directory);
  assertNotTruncated(directory, path);
  const sqlite = openFile(path);
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    sqlite.close();
    throw toWriteProblem(error, `The file ${path}`);
  }
  // secure_delete: what a user deletes must not remain readable in free pages (https://www.sqlite.org/pragma.html#pragma_secure_delete).
  sqlite.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000; PRAGMA cache_size=-65536; PRAGMA secure_delete=ON;',
  );
  const database = new Kysely<Schema>({
    dialect: new DurableDialect(sqlite, openLogFile(path)),
    ...(log && { log }),
  });
  try {
    await migrate(database, directory, migrations);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  markInUse(directory);
  return database;
}

async function migrate(
  database: Database,
  directory: string,
  migrations: Migrations,
): Promise<void> {
  const name = `The database in ${directory}`;
  const wayOut =
    'or move knowhow.sqlite and its companion files (-wal, -shm) away and restore a backup.';
  const older = await takeOverFormerMigrations(database, migrations);
  if (older !== undefined) {
    throw problem('conflict', `${name} ${describeOlderVersion(older)}, ${wayOut}`);
  }
  const { error } = await createMigrator(database, migrations).migrateToLatest();
  if (error) {
    throw isNewerVersion(error)
      ? problem('conflict', `${name} is of a newer version of Knowhow. Start that one, ${wayOut}`)
      : error;
  }
}

/** Path of the database file in a data folder. */
export function databasePath(directory: string): string {
  return join(directory, 'knowhow.sqlite');
}

const noLog: LogFile = { sync: () => Promise.resolve(), close: () => Promise.resolve() };

/** A database with the schema of an earlier version. */
export interface FormerDatabase {
  database: Database;
  /** Migrates it to the current schema. */
  migrate(): Promise<void>;
}

/**
 * Creates a database with the schema after a given migration, to migrate rows of an older backup. It
 * is neither durable nor checks foreign keys. A migration before the squashed ones has their schema.
 */
export async function openFormerDatabase(
  path: string,
  migration: string,
  migrations: Migrations,
): Promise<FormerDatabase> {
  const sqlite = openFile(path);
  sqlite.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF;');
  const database = new Kysely<Schema>({
    dialect: new DurableDialect(sqlite, noLog),
  });
  const until = async (name: string) => {
    const { error } = await createMigrator(database, migrations).migrateTo(name);
    if (error) {
      throw error;
    }
  };
  await until(migration < squashedEnd ? squashedEnd : migration);
  return { database, migrate: () => until(newestMigration(migrations)) };
}

function createMigrator(database: Database, migrations: Migrations): Migrator {
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
  return new Migrator({ db: database, provider });
}

/** Kysely reports applied migrations that we do not know. */
function isNewerVersion(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('corrupted migrations');
}
