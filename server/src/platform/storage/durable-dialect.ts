import { close, fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import {
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import type Libsql from 'libsql';
import { addToCache } from '../lib/add-to-cache.ts';
import { errorCode } from '../lib/error-code.ts';
import { diskFailed } from './database-problem.ts';

const openFile = promisify(open);
const syncData = promisify(fdatasync);
const closeFile = promisify(close);

export interface LogFile {
  /** Resolves when the log is on the disk. Throws `write-problem` if the disk fails. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * SQLite that acknowledges writes once they are durable. It expects `synchronous=NORMAL`, with
 * which a commit only appends to the write-ahead log
 * (https://www.sqlite.org/pragma.html#pragma_synchronous). The log is synced in the thread pool,
 * because SQLite itself would block the event loop.
 */
export class DurableDialect extends SqliteDialect {
  readonly #database: TrackedDatabase;
  readonly #log: LogFile;

  /** @param sqlite is closed together with the dialect */
  constructor(sqlite: Libsql.Database, log: LogFile) {
    const database = trackedDatabase(sqlite);
    super({ database });
    this.#database = database;
    this.#log = log;
  }

  override createDriver(): SqliteDriver {
    return new DurableDriver(this.#database, this.#log);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

class DurableDriver extends SqliteDriver {
  readonly #database: TrackedDatabase;
  readonly #log: LogFile;

  constructor(database: TrackedDatabase, log: LogFile) {
    super({ database });
    this.#database = database;
    this.#log = log;
  }

  /**
   * Called at the end of each statement or transaction, which waits for the sync. Others may
   * continue meanwhile.
   */
  override async releaseConnection(): Promise<void> {
    const hasWritten = this.#database.takeWritten();
    await super.releaseConnection();
    if (hasWritten) {
      await this.#log.sync();
    }
  }

  override async destroy(): Promise<void> {
    await this.#log.close();
    await super.destroy();
  }
}

/**
 * Migrations run in a transaction: otherwise a crash in the first start would leave half of the
 * tables.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** The write-ahead log of an open database. It exists as long as the database is open. */
export function openLogFile(databasePath: string): LogFile {
  let descriptor: number | undefined;
  let isClosed = false;
  const sync = syncTogether(async () => {
    try {
      if (!isClosed) {
        descriptor ??= await openFile(`${databasePath}-wal`, 'r+');
        await syncData(descriptor);
      }
    } catch (error) {
      // The log does not exist before the first write.
      if (errorCode(error) !== 'ENOENT') {
        throw diskFailed(error);
      }
    }
  });
  return {
    sync,
    close: async () => {
      isClosed = true;
      // A sync in progress ends first: it may be opening the file.
      await sync().catch(() => undefined);
      if (descriptor !== undefined) {
        await closeFile(descriptor);
        descriptor = undefined;
      }
    },
  };
}

/** Coalesces syncs: callers that arrive during a sync share the next one. */
export function syncTogether(sync: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    running = sync().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) {
      return begin();
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

/** A database that tracks whether it was written to. */
interface TrackedDatabase extends SqliteDatabase {
  /** Whether a statement may have written since the last call. */
  takeWritten(): boolean;
}

const maxCachedStatements = 200;

/**
 * Checkpoints the log, so that the database of a stopped server can be copied as one file. Other
 * readers may prevent that.
 */
function checkpoint(sqlite: Libsql.Database): void {
  try {
    sqlite.exec('PRAGMA busy_timeout=500; PRAGMA wal_checkpoint(TRUNCATE);');
  } catch {
    // The write-ahead log remains next to the file, and nothing is lost.
  }
}

/**
 * SQLite rolls back by itself after some errors, such as a full disk. Then a rollback must not
 * fail.
 */
const rolledBack: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

/** Matches statements that write nothing, or end a transaction. */
const readOnly = /^\s*(?:select|pragma|explain|begin|commit|rollback|savepoint|release)\b/i;

/** Prepares each frequent statement once. */
function trackedDatabase(sqlite: Libsql.Database): TrackedDatabase {
  const statements = new Map<string, Libsql.Statement>();
  let hasWritten = false;
  return {
    takeWritten: () => {
      const had = hasWritten;
      hasWritten = false;
      return had;
    },
    close: () => {
      checkpoint(sqlite);
      sqlite.close();
    },
    prepare: (text) => {
      hasWritten ||= !readOnly.test(text);
      if (text === 'rollback' && !sqlite.inTransaction) {
        return rolledBack;
      }
      const statement = statements.get(text) ?? sqlite.prepare(text);
      // Deleted first, so that the statement that was used longest ago is evicted.
      statements.delete(text);
      addToCache(statements, { key: text, value: statement, max: maxCachedStatements });
      return statement;
    },
  };
}
