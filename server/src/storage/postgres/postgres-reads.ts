import { type CompiledQuery, sql } from 'kysely';
import type { Rows } from '../long-read-task.ts';
import type { Database } from '../open-database.ts';

/** Some reports of years take longer than what a request asks of the database else. */
const statementMs = 120_000;

/** The rows of each query, all of one state. */
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
