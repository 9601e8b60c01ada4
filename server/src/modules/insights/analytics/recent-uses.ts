import { maxSkillsReported } from '@knowhow/shared/config/analytics';
import { type SkillUsage, usageDays } from '@knowhow/shared/skills/admin-skill';
import { sql } from 'kysely';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { LongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';

/** Recent usage of every skill that was ever used, by name. */
export type SkillUsages = ReadonlyMap<string, SkillUsage>;

interface Dependencies {
  database: Database;
  longReads: LongReads;
  log: Log;
  /** Stores queued metrics. */
  flush: () => Promise<void>;
}

/** Cache time, so that paging through a list counts only once. */
const maxAgeMs = 60_000;

/**
 * Counts the uses of all skills, at most once a minute (stale-while-revalidate). Undefined if counting fails without
 * an earlier result.
 */
export function createRecentUses({ database, longReads, log, flush }: Dependencies) {
  let known: { at: number; usages: SkillUsages } | undefined;
  let counting: Promise<SkillUsages | undefined> | undefined;

  async function count(): Promise<SkillUsages | undefined> {
    try {
      const at = Date.now();
      await flush();
      const { uses } = await longReads.read({ uses: queryUses(database).compile() });
      const usages = new Map(
        uses.map(({ skill, times, last }) => [skill, { uses: times, lastUsedAt: last }]),
      );
      known = { at, usages };
      return usages;
    } catch (error) {
      log.warn({ error }, 'counting the uses of skills failed');
      return known?.usages;
    } finally {
      counting = undefined;
    }
  }

  return async (): Promise<SkillUsages | undefined> => {
    if (known && Date.now() - known.at < maxAgeMs) {
      return known.usages;
    }
    counting ??= count();
    return known?.usages ?? counting;
  };
}

function queryUses(database: Database) {
  const since = new Date(daysAgo(usageDays)).toISOString();
  return database
    .selectFrom('skill_facts')
    .innerJoin('turn_facts', 'turn_facts.message_id', 'skill_facts.message_id')
    .where('event', '=', 'active')
    .select(({ fn }) => [
      'skill',
      sql<number>`count(case when turn_facts.at >= ${since} then 1 end)`.as('times'),
      fn.max('turn_facts.at').as('last'),
    ])
    .groupBy('skill')
    .orderBy('last', 'desc')
    .limit(maxSkillsReported);
}
