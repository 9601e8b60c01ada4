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
import { errorCode } from '../lib/error-code.ts';
import { diskFailed } from './database-problem.ts';

const openFile = promisify(open);
const syncData = promisify(fdatasync);
const closeFile = promisify(close);

export interface LogFile {
  /** Resolves when all that it had is on the disk. Throws `not-writable` when the disk fails. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * SQLite whose writes are acknowledged once they are on the disk. It expects `synchronous=NORMAL`, with
 * which a commit only appends to the write-ahead log (https://www.sqlite.org/pragma.html#pragma_synchronous):
 * the log is synced in the thread pool, where SQLite itself would hold up the process until the disk is done.
 */
export class DurableDialect extends SqliteDialect {
  readonly #database: TrackedDatabase;
  readonly #log: LogFile;

  /** @param sqlite is closed with it */
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

  /** Called at the end of each statement or transaction, which waits for it. Others may go on meanwhile. */
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

/** SQLite changes tables in transactions too: without one, a crash in a first start would be for good. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** The write-ahead log of an open database, which stays as long as that is open. */
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
      // There is none before the first change.
      if (errorCode(error) !== 'ENOENT') {
        throw diskFailed(error);
      }
    }
  });
  return {
    sync,
    close: async () => {
      isClosed = true;
      // What is under way ends first: it may be what opens the file.
      await sync().catch(() => undefined);
      if (descriptor !== undefined) {
        await closeFile(descriptor);
        descriptor = undefined;
      }
    },
  };
}

/** Those who come while a sync is under way need another one, which all of them share. */
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

/** A database that knows whether something was written in it. */
interface TrackedDatabase extends SqliteDatabase {
  /** Whether a statement may have changed it since this was last asked. */
  takeWritten(): boolean;
}

const maxStatements = 200;

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

/** Begins a statement that changes nothing, or ends what others have written. */
const readOnly = /^\s*(?:select|pragma|explain|begin|commit|rollback|savepoint|release)\b/i;

/** The statements are few and always the same: each is compiled once. */
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
      gatherInOneFile(sqlite);
      sqlite.close();
    },
    prepare: (text) => {
      hasWritten ||= !readOnly.test(text);
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
