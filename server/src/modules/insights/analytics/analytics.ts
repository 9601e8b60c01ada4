import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ReportQuery, SkillReport } from '@knowhow/shared/config/analytics';
import { maxReasons, type Reason } from '@knowhow/shared/config/analytics';
import { sql } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { LongReads } from '../../../platform/storage/long-reads.ts';
import { createLongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { ModelStep, PreparedTurn, TurnObserver } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import type { SkillStore } from '../../skills/index.ts';
import { resolveRange } from './date-range.ts';
import { createFactQueue, type SkillEnd } from './fact-queue.ts';
import { type Selection, turns } from './query-facts.ts';
import { createRecentUses, type SkillUsages } from './recent-uses.ts';
import { skillReport } from './skill-report.ts';
import { collectTurnFacts, sumUse } from './turn-facts.ts';

/** Usage metrics of skills, recorded per turn and aggregated for reports. */
export interface Analytics {
  observe: TurnObserver;
  /** Records that a user ended a skill between two turns. */
  countEnd(end: Omit<SkillEnd, 'type'>): void;
  /** Records model usage in addition to a counted turn, such as for a title. */
  countUse(turn: PreparedTurn, asked: Pick<ModelStep, 'config' | 'usage'>): void;
  report(query: ReportQuery): Promise<SkillReport>;
  /** Comments that users gave with their feedback. */
  reasons(query: ReportQuery): ReturnType<typeof readReasons>;
  /** Recent usage of skills, at most a minute old; undefined if analytics are off. */
  recentUses(): Promise<SkillUsages | undefined>;
  /** Flushes the queue. */
  close(): Promise<void>;
}

interface Dependencies {
  dataDirectory: string;
  database: Database;
  cluster: Cluster;
  contents: () => Contents;
  skills: SkillStore;
  log: Log;
}

/** At night, when load is low. */
const purgeTime = '41 3 * * *';

export function createAnalytics(dependencies: Dependencies): Analytics {
  const { dataDirectory, database, cluster, contents, skills, log } = dependencies;
  const days = () => contents().platform.analytics.days;
  const queue = createFactQueue(database, log);
  const longReads = createLongReads(database, dataDirectory);
  const recentUses = createRecentUses({ database, longReads, log, flush: queue.flush });
  const closing = new AbortController();
  const purge = async (lost: AbortSignal) => {
    const before = new Date(daysAgo(days())).toISOString();
    await purgeFacts(database, before, AbortSignal.any([lost, closing.signal])).catch(
      (error: unknown) => log.error({ error }, 'old metrics of turns could not be removed'),
    );
  };
  const job = cluster.oneNode('purge of numbers', purgeTime, purge);
  // Also at startup, for servers that do not run at night.
  const first = purge(closing.signal);
  return {
    observe: () => (ended) => {
      if (days() > 0) {
        queue.add({ type: 'turn', ...collectTurnFacts(ended, skills.snapshot) });
      }
    },
    countEnd: (end) => {
      if (days() > 0) {
        queue.add({ type: 'end', ...end });
      }
    },
    countUse: ({ start }, asked) => {
      if (days() > 0) {
        queue.add({ type: 'use', messageId: start.answer.id, use: sumUse([asked]) });
      }
    },
    report: async (query) => {
      await queue.flush();
      return skillReport(query, {
        database,
        longReads,
        days: days(),
        contents: contents(),
        snapshot: skills.snapshot,
      });
    },
    reasons: async (query) => {
      await queue.flush();
      return readReasons(query, { database, longReads });
    },
    recentUses: async () => (days() > 0 ? recentUses() : undefined),
    close: async () => {
      job.stop();
      closing.abort();
      await Promise.all([first, queue.flush(), longReads.close()]);
    },
  };
}

/** Takes only a few milliseconds. */
const batchSize = 200;

/** Removes metrics of turns before a time, in batches that do not block the event loop. */
async function purgeFacts(database: Database, before: string, lost?: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !lost?.aborted; await yieldToEventLoop()) {
    const oldest = database
      .selectFrom('turn_facts')
      .select('message_id')
      .where('at', '<', before)
      .orderBy('at')
      .limit(batchSize);
    const { numDeletedRows } = await database
      .deleteFrom('turn_facts')
      .where('message_id', 'in', oldest)
      .executeTakeFirst();
    isMore = numDeletedRows === BigInt(batchSize);
  }
}

/** Separator for skill names, which cannot contain it. */
const separator = '\n';

/** Feedback comments on the answers of a report, newest first. */
async function readReasons(
  query: ReportQuery,
  { database, longReads }: { database: Database; longReads: LongReads },
): Promise<{ items: Reason[]; total: number }> {
  const selection = { ...query, ...resolveRange(query, Date.now()) };
  const { counted, reasons } = await longReads.read({
    counted: selectGiven(database, selection)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .compile(),
    reasons: selectNewest(database, selection).compile(),
  });
  const items = reasons.map(({ skills, ...row }) => ({
    ...row,
    skills: skills.split(separator).filter((skill) => skill !== ''),
  }));
  return { items, total: counted[0]?.total ?? 0 };
}

function selectGiven(database: Database, selection: Selection) {
  return turns(database, selection)
    .innerJoin('feedback', 'feedback.message_id', 'turn_facts.message_id')
    .where('feedback.reason', 'is not', null);
}

function selectNewest(database: Database, selection: Selection) {
  return selectGiven(database, selection)
    .select([
      'feedback.updated_at as at',
      'feedback.value',
      sql<string>`feedback.reason`.as('reason'),
      'turn_facts.app',
      sql<string>`(
        select coalesce(string_agg(skill, ${separator}), '') from skill_facts
        where skill_facts.message_id = turn_facts.message_id and event = 'active'
      )`.as('skills'),
    ])
    .orderBy('feedback.updated_at', 'desc')
    .limit(maxReasons);
}
