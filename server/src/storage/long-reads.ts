import { problem } from '@knowhow/shared/problem';
import type { CompiledQuery } from 'kysely';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import { workerAddress } from '../lib/worker-address.ts';
import { createWorkerPool, PoolFull } from '../lib/worker-pool.ts';
import { isPostgres } from './is-postgres.ts';
import type { LongReadTask, Rows } from './long-read-task.ts';
import { type Database, databasePath } from './open-database.ts';
import { readTogether } from './postgres/postgres-reads.ts';

/** Queries that take longer than a request may hold up the process: a database of its own does them by itself. */
export interface LongReads {
  /** The rows of each, all of one state. Throws `not-ready` when too many wait. */
  read<Queries extends NamedQueries>(queries: Queries): Promise<RowsOf<Queries>>;
  /** What has no answer yet fails. */
  close(): Promise<void>;
}

type NamedQueries = Readonly<Record<string, CompiledQuery<unknown>>>;

export type RowsOf<Queries extends NamedQueries> = {
  [Name in keyof Queries]: Queries[Name] extends CompiledQuery<infer Row> ? Row[] : never;
};

/** Some seconds each, at the worst. */
const maxWaiting = 10;
const idleMs = 5000;

export function createLongReads(database: Database, dataDirectory: string): LongReads {
  return isPostgres(database)
    ? readsOf(
        limited((queries) => readTogether(database, queries)),
        async () => undefined,
      )
    : inThread(dataDirectory);
}

/** SQLite holds up the thread that asks: here that is one besides the process's own. */
function inThread(dataDirectory: string): LongReads {
  const path = databasePath(dataDirectory);
  const pool = createWorkerPool<LongReadTask, Rows[]>(workerAddress('long-read-worker'), {
    threads: 1,
    waiting: maxWaiting,
    idleMs,
  });
  const run: Run = (queries) => {
    const plain = queries.map(({ sql, parameters }) => ({ sql, parameters }));
    return pool.run({ path, queries: plain });
  };
  return readsOf(run, pool.close);
}

type Run = (queries: readonly CompiledQuery<unknown>[]) => Promise<Rows[]>;

/** One after the other, as in the thread: the rest of the connections is for others. */
function limited(run: Run): Run {
  const queue = limitConcurrency(1);
  let waiting = 0;
  return async (queries) => {
    if (waiting > maxWaiting) {
      throw new PoolFull();
    }
    waiting += 1;
    return queue(() => run(queries)).finally(() => {
      waiting -= 1;
    });
  };
}

function readsOf(run: Run, close: () => Promise<void>): LongReads {
  return {
    read: async <Queries extends NamedQueries>(queries: Queries) => {
      try {
        const rows = await run(Object.values(queries));
        // The rows are what the queries were compiled for.
        return Object.fromEntries(
          Object.keys(queries).map((name, at) => [name, rows[at]]),
        ) as RowsOf<Queries>;
      } catch (error) {
        throw error instanceof PoolFull ? tooMany() : error;
      }
    },
    close,
  };
}

function tooMany() {
  return problem('not-ready', 'Too many reports are being made. Try again in a few seconds.', {
    retryAfter: 5,
  });
}
