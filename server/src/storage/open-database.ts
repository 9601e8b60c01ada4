import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import {
  Kysely,
  Migrator,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely';
import type Libsql from 'libsql';
import { notWritable } from '../lib/not-writable.ts';
import { migrations, newestMigration } from './migrations.ts';
import { openFile } from './open-file.ts';
import { markInUse, refuseCutOff } from './refuse-cut-off.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

const maxStatements = 200;

/**
 * Opens the SQLite database in `directory` (created when missing) and brings its tables up to date.
 * Every commit is durable: write-ahead log with `synchronous=FULL`.
 */
export async function openDatabase(directory: string): Promise<Database> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = databasePath(directory);
  refuseCutOff(directory, path);
  const sqlite = openFile(path);
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    sqlite.close();
    throw notWritable(error, `The file ${path}`);
  }
  sqlite.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000; PRAGMA cache_size=-65536;',
  );
  const database = new Kysely<Schema>({
    dialect: new TransactionalDialect({ database: preparingOnce(sqlite) }),
  });
  const { error } = await migratorOf(database).migrateToLatest();
  if (error) {
    await database.destroy();
    throw isOfNewerVersion(error)
      ? problem(
          'conflict',
          `The database in ${directory} is of a newer version of Knowhow. Start that one, or move knowhow.sqlite and the files beside it whose names begin so (-wal, -shm) away and restore a backup.`,
        )
      : error;
  }
  markInUse(directory);
  return database;
}

/** The file of the database in a data folder. */
export function databasePath(directory: string): string {
  return join(directory, 'knowhow.sqlite');
}

/** A database as it was once, for rows of that time. */
export interface FormerDatabase {
  database: Database;
  /** Changes its tables, and what is in them, to what they are now. */
  migrate(): Promise<void>;
}

/**
 * Makes a database as it was after one of the migrations, in a new file that goes when it is closed
 * wrongly: nothing waits for the disk, and no row needs another.
 */
export async function openFormerDatabase(path: string, migration: string): Promise<FormerDatabase> {
  const sqlite = openFile(path);
  sqlite.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF;');
  const database = new Kysely<Schema>({
    dialect: new TransactionalDialect({ database: preparingOnce(sqlite) }),
  });
  const until = async (name: string) => {
    const { error } = await migratorOf(database).migrateTo(name);
    if (error) {
      throw error;
    }
  };
  await until(migration);
  return { database, migrate: () => until(newestMigration) };
}

function migratorOf(database: Database): Migrator {
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  return new Migrator({ db: database, provider });
}

/** SQLite changes tables in transactions too: without one, a crash in a first start would be for good. */
class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely finds that steps were taken which are not among ours. */
function isOfNewerVersion(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('corrupted migrations');
}

/** So that a stopped server's database can be copied as one file; others that read it may prevent that. */
function gatherInOneFile(sqlite: Libsql.Database): void {
  try {
    sqlite.exec('PRAGMA busy_timeout=500; PRAGMA wal_checkpoint(TRUNCATE);');
  } catch {
    // The write-ahead log stays beside it, and nothing is lost.
  }
}

/** After some failures, as of a full disk, SQLite itself has rolled back: that is no failure more. */
const rolledBack: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

/** The statements are few and always the same: each is compiled once. */
function preparingOnce(sqlite: Libsql.Database): SqliteDatabase {
  const statements = new Map<string, Libsql.Statement>();
  return {
    close: () => {
      gatherInOneFile(sqlite);
      sqlite.close();
    },
    prepare: (text) => {
      if (text === 'rollback' && !sqlite.inTransaction) {
        return rolledBack;
      }
      const statement = statements.get(text) ?? sqlite.prepare(text);
      if (statements.size < maxStatements) {
        statements.set(text, statement);
      }
      return statement;
    },
  };
}
