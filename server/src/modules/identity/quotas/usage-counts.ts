import { type Expression, type SqlBool, sql } from 'kysely';
import { groupWrites } from '../../../platform/storage/group-writes.ts';
import { inList } from '../../../platform/storage/in-list.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Periods } from './periods.ts';

/** Daily usage counters in the database. */
export interface UsageCounts {
  /** Resolves when it is stored. */
  add(holders: readonly string[], day: string, used: Counted): Promise<void>;
  /** By holder; without `holders`, all of them. Holders without usage this month are omitted. */
  read(periods: Periods, holders?: readonly string[]): Promise<Map<string, Counts>>;
}

export interface Counted {
  turns: number;
  tokens: number;
}

export interface Counts {
  day: Counted;
  month: Counted;
}

/** Retention, so that last year can be looked up. */
const retentionDays = 400;

export function createUsageCounts(database: Database): UsageCounts {
  const write = groupWrites(database);
  let purgedOn = '';
  return {
    add: (holders, day, { turns, tokens }) =>
      write(async (transaction) => {
        if (purgedOn !== day) {
          purgedOn = day;
          const oldest = new Date(Date.parse(day) - retentionDays * 86_400_000).toISOString();
          await transaction
            .deleteFrom('usage_counts')
            .where('day', '<', oldest.slice(0, 10))
            .execute();
        }
        for (const holder of holders) {
          await transaction
            .insertInto('usage_counts')
            .values({ holder, day, turns, tokens })
            .onConflict((conflict) =>
              conflict.columns(['holder', 'day']).doUpdateSet({
                turns: sql`usage_counts.turns + ${turns}`,
                tokens: sql`usage_counts.tokens + ${tokens}`,
              }),
            )
            .execute();
        }
      }),
    read: async ({ day, monthBegins }, holders) => {
      const rows = await database
        .selectFrom('usage_counts')
        .select(({ ref }) => [
          'holder',
          sumOf(ref('turns'), sql`day = ${day}`).as('dayTurns'),
          sumOf(ref('tokens'), sql`day = ${day}`).as('dayTokens'),
          sumOf(ref('turns')).as('turns'),
          sumOf(ref('tokens')).as('tokens'),
        ])
        .where('day', '>=', monthBegins)
        .$if(holders !== undefined, (query) => query.where('holder', 'in', inList(holders ?? [])))
        .groupBy('holder')
        .execute();
      return new Map(
        rows.map(({ holder, dayTurns, dayTokens, turns, tokens }) => [
          holder,
          {
            day: { turns: Number(dayTurns), tokens: Number(dayTokens) },
            month: { turns: Number(turns), tokens: Number(tokens) },
          },
        ]),
      );
    },
  };
}

function sumOf(column: Expression<number>, when: Expression<SqlBool> = sql<SqlBool>`1 = 1`) {
  return sql<number>`sum(case when ${when} then ${column} else 0 end)`;
}
