import type { ReportQuery, SkillReport } from '@knowhow/shared/config/analytics';
import type { TurnObserver } from '../chat/observe-turn.ts';
import type { PreparedTurn } from '../chat/prepare-turn.ts';
import type { ModelStep } from '../chat/turn-steps.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Contents } from '../content/contents.ts';
import { daysAgo } from '../lib/days-ago.ts';
import type { Log } from '../lib/log.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { createLongReads } from '../storage/long-reads.ts';
import type { Database } from '../storage/open-database.ts';
import { createFactQueue, type SkillEnd } from './fact-queue.ts';
import { purgeFacts } from './purge-facts.ts';
import { readReasons } from './read-reasons.ts';
import { createRecentUses, type SkillUsages } from './recent-uses.ts';
import { skillReport } from './skill-report.ts';
import { factsOf, useOf } from './turn-facts.ts';

/** How skills are used, in numbers: counted turn by turn, and added up for a report. */
export interface Analytics {
  observe: TurnObserver;
  /** Counts that a user has ended a skill between two turns. */
  countEnd(end: Omit<SkillEnd, 'type'>): void;
  /** Counts what was asked of a model beside a turn that was counted, such as the title of its conversation. */
  countUse(turn: PreparedTurn, asked: Pick<ModelStep, 'config' | 'usage'>): void;
  report(query: ReportQuery): Promise<SkillReport>;
  /** What people wrote to their thumbs. */
  reasons(query: ReportQuery): ReturnType<typeof readReasons>;
  /** How skills were used lately, up to a minute ago; undefined where nothing is counted. */
  recentUses(): Promise<SkillUsages | undefined>;
  /** Stores what is left. */
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

const usualDays = 400;
/** At night, when few are at work. */
const purgeTime = '41 3 * * *';

export function createAnalytics(dependencies: Dependencies): Analytics {
  const { dataDirectory, database, cluster, contents, skills, log } = dependencies;
  const days = () => contents().platform.analytics?.days ?? usualDays;
  const queue = createFactQueue(database, log);
  const longReads = createLongReads(database, dataDirectory);
  const recentUses = createRecentUses({ database, longReads, log, flush: queue.flush });
  const closing = new AbortController();
  const purge = async (lost: AbortSignal) => {
    const before = new Date(daysAgo(days())).toISOString();
    await purgeFacts(database, before, AbortSignal.any([lost, closing.signal])).catch(
      (error: unknown) => log.error({ error }, 'old numbers of turns cannot be removed'),
    );
  };
  const job = cluster.oneNode('purge of numbers', purgeTime, purge);
  // One that is started every day would never be there at night.
  const first = purge(closing.signal);
  return {
    observe: () => (ended) => {
      if (days() > 0) {
        queue.add({ type: 'turn', ...factsOf(ended, skills.snapshot) });
      }
    },
    countEnd: (end) => {
      if (days() > 0) {
        queue.add({ type: 'end', ...end });
      }
    },
    countUse: ({ start }, asked) => {
      if (days() > 0) {
        queue.add({ type: 'use', messageId: start.answer.id, use: useOf([asked]) });
      }
    },
    report: async (query) => {
      await queue.flush();
      return skillReport(query, {
        ...{ database, longReads, days: days() },
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
