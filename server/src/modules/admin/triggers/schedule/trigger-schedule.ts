import type { ContentIssue } from '@knowhow/shared/config/health';
import type { TriggerScheduleState } from '@knowhow/shared/skills/trigger-tests';
import type { Cluster } from '../../../../platform/cluster/cluster.ts';
import { formatCount } from '../../../../platform/lib/format-count.ts';
import { type RoundTools, runDueTests } from './run-round.ts';
import { findScheduleIssues } from './schedule-issues.ts';
import type { StoredRound } from './trigger-rounds.ts';

/** Scheduled trigger tests. */
export interface TriggerScheduler {
  state(): Promise<TriggerScheduleState>;
  /** For `/api/admin/faults`: models that cannot be used, and why the last round is incomplete. */
  faults(): ContentIssue[];
  /** Stops a test that is running; it is repeated after the next start. */
  stop(): Promise<void>;
}

type Tools = RoundTools & { cluster: Cluster };

const topic = 'trigger schedule';
const everyHour = '29 19 * * * *';
const path = 'contents/config/skills.json';

/** One node tests the skills when a round is due, and tries again hourly if a model did not answer. */
export async function openTriggerSchedule({ cluster, ...tools }: Tools): Promise<TriggerScheduler> {
  const { contents, log, models, triggerRounds } = tools;
  const stopping = new AbortController();
  let last: StoredRound | undefined;
  const reread = async () => {
    [last] = await triggerRounds.list();
  };
  let reading = Promise.resolve();
  const rereadLater = () => {
    reading = reread().catch((error: unknown) =>
      log.error({ error }, 'reading trigger rounds failed'),
    );
  };
  const unsubscribe = cluster.subscribe(topic, rereadLater, rereadLater);
  await reread();
  const run = async (lost: AbortSignal) => {
    try {
      await runDueTests(tools, AbortSignal.any([lost, stopping.signal]));
      const before = JSON.stringify(last);
      await reread();
      if (JSON.stringify(last) !== before) {
        await cluster.publish(topic, '');
      }
    } catch (error) {
      log.error({ error }, 'scheduled trigger tests failed');
    }
  };
  let running = Promise.resolve();
  const job = cluster.oneNode(topic, everyHour, (lost) => {
    running = run(lost);
    return running;
  });
  return {
    state: async () => describeState(await triggerRounds.list(), contents().skills.settings),
    faults: () => {
      const { settings } = contents().skills;
      const issues = findScheduleIssues(settings, models);
      const failed = settings.triggerTests.enabled && last?.problem ? [describeProblem(last)] : [];
      return [...issues, ...failed].map(({ path: field, message }) => ({
        ...{ path, field: `settings.${field}`, message },
        isUsed: true,
      }));
    },
    stop: async () => {
      job.stop();
      unsubscribe();
      stopping.abort();
      await running;
      await reading;
    },
  };
}

function describeProblem({ problem, remaining, endedAt }: StoredRound) {
  const skills = formatCount(remaining, 'skill was', 'skills were');
  const next =
    endedAt === undefined
      ? 'They are tried again within an hour.'
      : 'They come first in the next round.';
  const message = `The model "${problem?.model}" did not answer scheduled trigger tests: ${problem?.message} ${skills} not tested. ${next}`;
  return { path: 'triggerTests', message };
}

const dayMs = 86_400_000;

function describeState(
  rounds: readonly StoredRound[],
  { triggerTests: { enabled, days } }: Parameters<typeof findScheduleIssues>[0],
): TriggerScheduleState {
  const [last] = rounds;
  const regular = rounds.find(({ kind }) => kind === 'regular');
  if (!last) {
    return {};
  }
  const { id: _, failures: __, ...round } = last;
  const nextAt =
    enabled && regular && new Date(Date.parse(regular.beganAt) + days * dayMs).toISOString();
  return { round, ...(nextAt ? { nextAt } : {}) };
}
