import type {
  TriggerEvent,
  TriggerPrompt,
  TriggerResult,
  TriggerRunHead,
  triggerTestsApi,
} from '@knowhow/shared/skills/trigger-tests';
import type { z } from 'zod';
import type { Log } from '../../../platform/lib/log.ts';
import { type ModelList, toTurnError } from '../../chat/index.ts';
import type { Caller, Quotas } from '../../identity/index.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { findEntry, isVersioned } from '../skills/skill-entries.ts';
import { openSkill } from '../skills/skill-versions.ts';
import { type CountedPrompts, countPrompts } from './count-prompts.ts';
import { runTriggers, summarizeTriggers } from './run-triggers.ts';
import type { TriggerRuns } from './trigger-runs.ts';
import { openTrial, type Trial, type TrialRequest } from './trigger-trial.ts';

/** Dependencies of trigger tests, besides those of skill administration. */
export interface TriggerBench {
  models: ModelList;
  triggerRuns: TriggerRuns;
  log: Log;
}

/** Dependencies of tests that a person runs. */
export interface CountedBench extends TriggerBench {
  quotas: Pick<Quotas, 'begin'>;
}

/** Maximum duration of a run. */
const maxRunMs = 60 * 60 * 1000;

type RunRequest = TrialRequest & z.output<typeof triggerTestsApi.run.body> & { language: string };
type Tools = SkillAdmin & CountedBench;

/** Runs until the end or the signal. Never rejects: the last event reports errors. */
type Run = (stop: AbortSignal, onEvent: (event: TriggerEvent) => void) => Promise<void>;

/** Validates a request. Throws a problem if the run cannot start. */
export async function beginTriggerRun(asked: RunRequest, tools: Tools): Promise<Run> {
  const models = [...new Set(asked.models)];
  const trial = await openTrial({ ...asked, models }, tools);
  const version = await findTestedVersion(trial, tools);
  return async (disconnected, onEvent) => {
    const limit = AbortSignal.any([disconnected, AbortSignal.timeout(maxRunMs)]);
    const counted = countPrompts(tools.quotas, asked.caller, limit);
    try {
      onEvent({ type: 'start', total: asked.prompts.length * models.length });
      const run = await runAndStore(
        { ...asked, models, version },
        { ...tools, trial, counted },
        onEvent,
      );
      const refusal = counted.refusal();
      onEvent(refusal ? { type: 'error', ...refusal } : { type: 'end', run });
    } catch (error) {
      tools.log.error({ error }, 'a run of trigger tests failed');
      onEvent({ type: 'error', ...toTurnError(error, true) });
    }
  };
}

/** Stores the results, even of a stopped run. */
async function runAndStore(
  request: RunRequest & { version: number | undefined },
  { trial, counted, ...tools }: Tools & { trial: Trial; counted: CountedPrompts },
  onEvent: (event: TriggerEvent) => void,
) {
  const { prompts, models, language, secondsPerPrompt } = request;
  const { takeTurn, stop } = counted;
  const task = { trial, prompts, models, language, patienceMs: secondsPerPrompt * 1000, takeTurn };
  const results = await runTriggers({ ...task, log: tools.log }, stop, (result) =>
    onEvent({ type: 'result', result }),
  );
  const ended = stop.aborted ? 'stopped' : 'whole';
  return storeRun({ ...request, trial, results, ended }, tools);
}

type StoredRun = Pick<TrialRequest, 'app' | 'description' | 'models'> & {
  trial: Trial;
  prompts: readonly TriggerPrompt[];
  /** The person who started it, unless that is the caller of the trial. */
  by?: Pick<Caller, 'id' | 'name'>;
  /** From `findTestedVersion`, before the run. */
  version: number | undefined;
  results: TriggerResult[];
  ended: TriggerRunHead['ended'];
  isScheduled?: true;
};

/**
 * The number of the version that a trial tests, after recording changes of the file system; undefined for a skill
 * without versions.
 */
export async function findTestedVersion(
  { skill, fixedVersion }: Trial,
  admin: SkillAdmin,
): Promise<number | undefined> {
  if (fixedVersion !== undefined) {
    return fixedVersion;
  }
  return isVersioned(findEntry(admin.skills.snapshot, skill))
    ? (await openSkill(admin, skill)).current.number
    : undefined;
}

/** Stores a run, and records it in the audit log. */
export async function storeRun(
  { trial, version, app, description, models, prompts, results, ended, ...run }: StoredRun,
  { models: list, ...tools }: SkillAdmin & TriggerBench,
): Promise<TriggerRunHead> {
  const { caller, skill } = trial;
  const { by = caller, isScheduled } = run;
  await tools.audit.record({
    by: { id: by.id, name: by.name },
    action: 'triggers-tested',
    kind: 'skill',
    target: skill,
    after: { models, app, version, ended, requests: results.length },
  });
  return tools.triggerRuns.add(skill, {
    ...(app === undefined ? {} : { app }),
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    ...(isScheduled ? { isScheduled } : {}),
    ended,
    total: prompts.length,
    summaries: summarizeTriggers({ prompts, models }, results, list),
    by: by.name,
    prompts: [...prompts],
    results,
  });
}
