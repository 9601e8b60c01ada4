import { type CompiledQuery, sql } from 'kysely';
import type { Rows } from '../long-read-task.ts';
import type { Database } from '../open-database.ts';

/** Reports over years may take longer than statements of a request. */
const statementMs = 120_000;

/** The rows of each query, from one snapshot. */
export function readTogether(
  database: Database,
  queries: readonly CompiledQuery<unknown>[],
): Promise<Rows[]> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (read) => {
      await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(read);
      const all: Rows[] = [];
      for (const query of queries) {
        all.push((await read.executeQuery(query)).rows as Rows);
      }
      return all;
    });
}
