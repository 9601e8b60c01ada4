import { sql } from 'kysely';
import type { Database } from '../../storage/open-database.ts';
import type { Limiter } from '../cluster.ts';
import { now } from './database-clock.ts';

/** Increments in a single statement, so that no concurrent count is lost. */
export function postgresLimiter(database: Database, name: string, seconds: number): Limiter {
  const ends = sql<number>`${now} + ${seconds * 1000}::bigint`;
  const isExpired = sql`window_counts.ends <= ${now}`;
  return {
    add: async (key) => {
      const row = await database
        .insertInto('window_counts')
        .values({ name, key, count: 1, ends })
        .onConflict((conflict) =>
          conflict.columns(['name', 'key']).doUpdateSet({
            count: sql`case when ${isExpired} then 1 else window_counts.count + 1 end`,
            ends: sql`case when ${isExpired} then ${ends} else window_counts.ends end`,
          }),
        )
        .returning(['count', 'ends', sql<number>`${now}`.as('now')])
        .executeTakeFirstOrThrow();
      // Converted to this node's clock.
      return { count: row.count, endsAt: new Date(Date.now() + row.ends - row.now) };
    },
  };
}
