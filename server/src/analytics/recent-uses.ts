import { mostSkillsReported } from '@knowhow/shared/config/analytics';
import { type SkillUsage, usageDays } from '@knowhow/shared/skills/admin-skill';
import { sql } from 'kysely';
import { daysAgo } from '../lib/days-ago.ts';
import type { Log } from '../lib/log.ts';
import type { LongReads } from '../storage/long-reads.ts';
import type { Database } from '../storage/open-database.ts';

/** How each skill that was ever used was used lately, by name. */
export type SkillUsages = ReadonlyMap<string, SkillUsage>;

interface Dependencies {
  database: Database;
  longReads: LongReads;
  log: Log;
  /** Stores what has not been stored yet. */
  flush: () => Promise<void>;
}

/** A list that is looked through page by page counts once. */
const freshMs = 60_000;

/**
 * Counts the uses of all skills at once, at most once a minute. What was counted before is given at once and
 * counted again meanwhile; undefined when that is not possible now.
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
      log.warn({ error }, 'the uses of skills cannot be counted now');
      return known?.usages;
    } finally {
      counting = undefined;
    }
  }

  return async (): Promise<SkillUsages | undefined> => {
    if (known && Date.now() - known.at < freshMs) {
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
    .limit(mostSkillsReported);
}
