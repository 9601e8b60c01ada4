import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  maxReasons,
  type Reason,
  type ReportQuery,
  type SkillReport,
  type VersionReport,
} from '@knowhow/shared/config/analytics';
import { isPersonalSkillId } from '@knowhow/shared/skills/skill-id';
import { sql, type Transaction } from 'kysely';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import { ignore } from '../../../platform/lib/ignore.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { createLongReads, type LongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import type { SkillHealth } from '../../admin/index.ts';
import type { ModelStep, PreparedTurn, TurnObserver } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import type { SkillStore } from '../../skills/index.ts';
import { createCachedRead } from './cached-read.ts';
import { resolveRange } from './date-range.ts';
import { type Selection, turns } from './query-facts.ts';
import { readRecentUses, type SkillUsages } from './recent-uses.ts';
import { readSkillHealth } from './skill-health.ts';
import { skillReport } from './skill-report.ts';
import { collectTurnFacts, sumUse, type TurnFacts, type Use } from './turn-facts.ts';
import { versionReport } from './version-report.ts';

/** Usage metrics of skills, recorded per turn and aggregated for reports. */
export interface Analytics {
  observe: TurnObserver;
  /** Records that a user ended a skill between two turns. */
  countEnd(end: Omit<SkillEnd, 'type'>): void;
  /** Records model usage in addition to a counted turn, such as for a title. */
  countUse(turn: PreparedTurn, asked: Pick<ModelStep, 'config' | 'usage'>): void;
  report(query: ReportQuery): Promise<SkillReport>;
  /** Usage of each version of one skill. */
  versions(query: ReportQuery & { skill: string }): Promise<VersionReport>;
  /** Comments that users gave with their feedback. */
  reasons(query: ReportQuery): ReturnType<typeof readReasons>;
  /** Recent usage of skills, refreshed at most once a minute; undefined if analytics are off. */
  recentUses(): Promise<SkillUsages | undefined>;
  /** Refreshed at most once a minute; undefined if analytics are off. */
  skillHealth(): Promise<SkillHealth | undefined>;
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
  const sources = { database, longReads, flush: queue.flush };
  const recentUses = createCachedRead(() => readRecentUses(sources), {
    log,
    failure: 'counting the uses of skills failed',
  });
  const skillHealth = createCachedRead(() => readSkillHealth(sources), {
    log,
    failure: 'reading the thumbs of skills failed',
  });
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
      if (days() > 0 && !isPersonalSkillId(end.skill)) {
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
    versions: async (query) => {
      await queue.flush();
      return versionReport(query, { database, longReads, days: days() });
    },
    reasons: async (query) => {
      await queue.flush();
      return readReasons(query, { database, longReads });
    },
    recentUses: async () => (days() > 0 ? recentUses() : undefined),
    skillHealth: async () => (days() > 0 ? skillHealth() : undefined),
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

/** Write-behind queue for metrics rows, so that turns do not wait for the database. */
interface FactQueue {
  add(fact: Fact): void;
  /** Resolves once everything added before is stored, or has failed. */
  flush(): Promise<void>;
}

type Fact = ({ type: 'turn' } & TurnFacts) | LateUse | SkillEnd;

/** Model usage of an answer that was recorded earlier, such as for its title. */
interface LateUse {
  type: 'use';
  messageId: string;
  use: Use;
}

/** A skill that the user ended between two turns. */
interface SkillEnd {
  type: 'end';
  conversationId: string;
  skill: string;
}

const flushMs = 1000;
/** Maximum queue length; if the database is unavailable for longer, the oldest entries are dropped. */
const maxQueued = 10_000;

/** Stores queued entries once per second in one transaction. */
function createFactQueue(database: Database, log: Log): FactQueue {
  let waiting: Fact[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  const store = async () => {
    const facts = waiting;
    waiting = [];
    try {
      await insert(database, facts);
    } catch (error) {
      log.warn({ error }, 'metrics of turns could not be stored');
      waiting = [...facts, ...waiting].slice(-maxQueued);
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(() => (waiting.length > 0 ? store() : undefined));
    return storing;
  };
  return {
    add: (fact) => {
      waiting.push(fact);
      if (waiting.length > maxQueued) {
        waiting.shift();
      }
      timer ??= setTimeout(() => {
        flush().catch(ignore);
      }, flushMs).unref();
    },
    flush,
  };
}

/** Row by row, so that the statements are always the same and compiled only once. */
async function insert(database: Database, facts: readonly Fact[]): Promise<void> {
  const turns = facts.flatMap((fact) => (fact.type === 'turn' ? [fact] : []));
  const ends = facts.filter((fact) => fact.type === 'end');
  await database.transaction().execute(async (write) => {
    for (const row of turns.map(({ turn }) => turn)) {
      const into = write.insertInto('turn_facts').values(row);
      await into.onConflict((conflict) => conflict.doNothing()).execute();
    }
    for (const row of turns.flatMap(({ skills }) => skills)) {
      const into = write.insertInto('skill_facts').values(row);
      await into.onConflict((conflict) => conflict.doNothing()).execute();
    }
    for (const late of facts) {
      if (late.type === 'use') {
        await addUse(write, late);
      }
    }
    for (const { conversationId, skill } of ends) {
      // Attributed to the last answer before.
      await sql`
        insert into skill_facts (message_id, skill, event, detail, times, tokens)
        select message_id, ${skill}, 'ended', 'user', 1, 0 from turn_facts
        where conversation_id = ${conversationId} order by at desc limit 1
        on conflict (message_id, skill, event, detail) do update set times = skill_facts.times + 1
      `.execute(write);
    }
  });
}

/** Costs in another currency than the answer's are ignored, because they cannot be summed. */
async function addUse(write: Transaction<Schema>, { messageId, use }: LateUse): Promise<void> {
  const { cost = null, currency = null } = use;
  await sql`
    update turn_facts set
      input_tokens = input_tokens + ${use.input_tokens},
      cached_tokens = cached_tokens + ${use.cached_tokens},
      output_tokens = output_tokens + ${use.output_tokens},
      cost = case when coalesce(currency, ${currency}) = ${currency}
        then coalesce(cost, 0) + ${cost} else cost end,
      currency = coalesce(currency, ${currency})
    where message_id = ${messageId}`.execute(write);
}
