import { problem } from '@knowhow/shared/problem';
import type { CompiledQuery } from 'kysely';
import { workerAddress } from '../lib/worker-address.ts';
import { createWorkerPool, PoolFull } from '../lib/worker-pool.ts';
import type { LongReadTask, Rows } from './long-read-task.ts';
import { databasePath } from './open-database.ts';

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

/** SQLite holds up the thread that asks: here that is one besides the process's own. */
export function createLongReads(dataDirectory: string): LongReads {
  const path = databasePath(dataDirectory);
  const pool = createWorkerPool<LongReadTask, Rows[]>(workerAddress('long-read-worker'), {
    threads: 1,
    waiting: maxWaiting,
    idleMs,
  });
  return {
    read: async <Queries extends NamedQueries>(queries: Queries) => {
      const plain = Object.values(queries).map(({ sql, parameters }) => ({ sql, parameters }));
      try {
        const rows = await pool.run({ path, queries: plain });
        // The rows are what the queries were compiled for.
        return Object.fromEntries(
          Object.keys(queries).map((name, at) => [name, rows[at]]),
        ) as RowsOf<Queries>;
      } catch (error) {
        throw error instanceof PoolFull ? tooMany() : error;
      }
    },
    close: pool.close,
  };
}

function tooMany() {
  return problem('not-ready', 'Too many reports are being made. Try again in a few seconds.', {
    retryAfter: 5,
  });
}
