import { type Expression, type SqlBool, sql } from 'kysely';
import { ignore } from '../../../platform/lib/ignore.ts';
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
  let purgedOn = '';
  let pending = new Map<string, UsageRow>();
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  const write = async () => {
    const rows = [...pending.values()];
    pending = new Map();
    next = undefined;
    const day = rows[0]?.day ?? '';
    if (purgedOn !== day) {
      purgedOn = day;
      await purge(database, day);
    }
    await insertUsage(database, rows);
  };
  return {
    add: (holders, day, { turns, tokens }) => {
      if (holders.length === 0) {
        return Promise.resolve();
      }
      for (const holder of holders) {
        const key = `${day} ${holder}`;
        const known = pending.get(key) ?? { holder, day, turns: 0, tokens: 0 };
        pending.set(key, {
          ...known,
          turns: known.turns + turns,
          tokens: known.tokens + tokens,
        });
      }
      // One statement at a time: what is added meanwhile goes into the next.
      next ??= last.catch(ignore).then(write);
      last = next;
      return next;
    },
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

interface UsageRow extends Counted {
  holder: string;
  day: string;
}

async function purge(database: Database, day: string): Promise<void> {
  const oldest = new Date(Date.parse(day) - retentionDays * 86_400_000).toISOString();
  await database.deleteFrom('usage_counts').where('day', '<', oldest.slice(0, 10)).execute();
}

/** Sorted, so that two nodes never wait for each other's rows. */
async function insertUsage(database: Database, rows: readonly UsageRow[]): Promise<void> {
  const sorted = [...rows].sort((one, other) => (one.holder < other.holder ? -1 : 1));
  if (sorted.length === 0) {
    return;
  }
  await database
    .insertInto('usage_counts')
    .values(sorted)
    .onConflict((conflict) =>
      conflict.columns(['holder', 'day']).doUpdateSet({
        turns: sql`usage_counts.turns + excluded.turns`,
        tokens: sql`usage_counts.tokens + excluded.tokens`,
      }),
    )
    .execute();
}

function sumOf(column: Expression<number>, when: Expression<SqlBool> = sql<SqlBool>`1 = 1`) {
  return sql<number>`sum(case when ${when} then ${column} else 0 end)`;
}
