import { sql } from 'kysely';
import type { Database } from '../../storage/open-database.ts';
import type { LeakyCounts, Limiter } from '../cluster.ts';
import { now } from './database-clock.ts';

/** @param perMinute leak rate */
export function postgresCounts(
  database: Database,
  name: string,
  perMinute: () => number,
): LeakyCounts {
  const table = 'leaky_counts';
  const leak = () => sql<number>`greatest(0, leaky_counts.count
    - (${now} - leaky_counts.at) * ${perMinute()}::double precision / 60000)`;
  const toRow = (key: string) => ({ name, key, count: 1, at: now, added: now });
  return {
    read: async (key) => {
      const row = await database
        .selectFrom(table)
        .select([leak().as('count'), sql<number>`${now} - added`.as('age')])
        .where('name', '=', name)
        .where('key', '=', key)
        .executeTakeFirst();
      return row ?? { count: 0, age: Number.POSITIVE_INFINITY };
    },
    add: async (key) => {
      await database
        .insertInto(table)
        .values(toRow(key))
        .onConflict((conflict) =>
          conflict
            .columns(['name', 'key'])
            .doUpdateSet({ count: sql`${leak()} + 1`, at: now, added: now }),
        )
        .execute();
    },
    takeBack: async (key) => {
      await database
        .updateTable(table)
        .set({ count: sql`greatest(0, ${leak()} - 1)`, at: now })
        .where('name', '=', name)
        .where('key', '=', key)
        .execute();
    },
    forget: async (key) => {
      await database.deleteFrom(table).where('name', '=', name).where('key', '=', key).execute();
    },
  };
}

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
