import type { Environment } from './env.ts';
import {
  createTriggerRounds,
  createTriggerRuns,
  openTriggerSchedule,
  type SkillAdmin,
  type TriggerBench,
  type TriggerScheduler,
} from './modules/admin/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Database } from './platform/storage/open-database.ts';

interface Dependencies extends Omit<SkillAdmin, 'sizeLimits'>, Omit<TriggerBench, 'triggerRuns'> {
  cluster: Cluster;
  database: Database;
}

interface OpenTriggers extends Pick<TriggerBench, 'triggerRuns'> {
  triggerSchedule: TriggerScheduler;
}

/** Opens the stored runs of trigger tests, and their schedule. */
export async function openTriggers(
  { sizeLimits }: Environment,
  { database, ...dependencies }: Dependencies,
): Promise<OpenTriggers> {
  const triggerRuns = createTriggerRuns(database);
  const triggerRounds = createTriggerRounds(database);
  const tools = { ...dependencies, sizeLimits, triggerRuns, triggerRounds };
  return { triggerRuns, triggerSchedule: await openTriggerSchedule(tools) };
}
