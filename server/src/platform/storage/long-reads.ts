import { problem } from '@knowhow/shared/problem';
import type { CompiledQuery } from 'kysely';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import { workerAddress } from '../lib/worker-address.ts';
import { createWorkerPool, PoolFull } from '../lib/worker-pool.ts';
import { isPostgres } from './is-postgres.ts';
import type { LongReadTask, Rows } from './long-read-task.ts';
import { type Database, databasePath } from './open-database.ts';
import { readTogether } from './postgres/postgres-reads.ts';

/**
 * Slow queries, such as reports, on a separate connection, so that they do not block the event
 * loop.
 */
export interface LongReads {
  /** The rows of each query, from one snapshot. Throws `not-ready` if the queue is full. */
  read<Queries extends NamedQueries>(queries: Queries): Promise<RowsOf<Queries>>;
  /** Rejects pending queries. */
  close(): Promise<void>;
}

type NamedQueries = Readonly<Record<string, CompiledQuery<unknown>>>;

export type RowsOf<Queries extends NamedQueries> = {
  [Name in keyof Queries]: Queries[Name] extends CompiledQuery<infer Row> ? Row[] : never;
};

/** Each takes some seconds at worst. */
const maxQueued = 10;
const idleMs = 5000;

export function createLongReads(database: Database, dataDirectory: string): LongReads {
  return isPostgres(database)
    ? readsOf(
        serialized((queries) => readTogether(database, queries)),
        async () => undefined,
      )
    : inThread(dataDirectory);
}

/** SQLite blocks its thread, so queries run in a worker. */
function inThread(dataDirectory: string): LongReads {
  const path = databasePath(dataDirectory);
  const pool = createWorkerPool<LongReadTask, Rows[]>(workerAddress('long-read-worker'), {
    threads: 1,
    waiting: maxQueued,
    idleMs,
  });
  const run: Run = (queries) => {
    const plain = queries.map(({ sql, parameters }) => ({ sql, parameters }));
    return pool.run({ path, queries: plain });
  };
  return readsOf(run, pool.close);
}

type Run = (queries: readonly CompiledQuery<unknown>[]) => Promise<Rows[]>;

/** One at a time, as in the worker, so that other connections stay available. */
function serialized(run: Run): Run {
  const queue = limitConcurrency(1);
  let waiting = 0;
  return async (queries) => {
    if (waiting > maxQueued) {
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
        // Safe: the rows match the compiled queries.
        return Object.fromEntries(
          Object.keys(queries).map((name, at) => [name, rows[at]]),
        ) as RowsOf<Queries>;
      } catch (error) {
        throw error instanceof PoolFull ? queueFull() : error;
      }
    },
    close,
  };
}

function queueFull() {
  return problem('not-ready', 'Too many reports are being made. Try again in a few seconds.', {
    retryAfter: 5,
  });
}
