import type { ReportQuery, SkillReport } from '@knowhow/shared/config/analytics';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { createLongReads } from '../../../platform/storage/long-reads.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { TurnObserver } from '../../chat/observe-turn.ts';
import type { PreparedTurn } from '../../chat/prepare-turn.ts';
import type { ModelStep } from '../../chat/turn-steps.ts';
import type { Contents } from '../../content/contents.ts';
import type { SkillStore } from '../../skills/store/skill-store.ts';
import { createFactQueue, type SkillEnd } from './fact-queue.ts';
import { purgeFacts } from './purge-facts.ts';
import { readReasons } from './read-reasons.ts';
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
