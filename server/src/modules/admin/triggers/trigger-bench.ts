import type { TriggerEvent, triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import type { z } from 'zod';
import type { Log } from '../../../platform/lib/log.ts';
import { type ModelList, toTurnError } from '../../chat/index.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { runTriggers, summarizeTriggers } from './run-triggers.ts';
import type { TriggerRuns } from './trigger-runs.ts';
import { openTrial, type Trial, type TrialRequest } from './trigger-trial.ts';

/** Dependencies of trigger tests, besides those of skill administration. */
export interface TriggerBench {
  models: ModelList;
  triggerRuns: TriggerRuns;
  log: Log;
}

/** Maximum duration of a run. */
const maxRunMs = 60 * 60 * 1000;

type RunRequest = TrialRequest & z.output<typeof triggerTestsApi.run.body> & { language: string };
type Tools = SkillAdmin & TriggerBench;

/** Runs until the end or the signal. Never rejects: the last event reports errors. */
type Run = (stop: AbortSignal, onEvent: (event: TriggerEvent) => void) => Promise<void>;

/** Validates a request. Throws a problem if the run cannot start. */
export async function beginTriggerRun(asked: RunRequest, tools: Tools): Promise<Run> {
  const models = [...new Set(asked.models)];
  const trial = await openTrial({ ...asked, models }, tools);
  return async (disconnected, onEvent) => {
    const stop = AbortSignal.any([disconnected, AbortSignal.timeout(maxRunMs)]);
    try {
      onEvent({ type: 'start', total: asked.prompts.length * models.length });
      const run = await runAndStore({ ...asked, models }, { ...tools, trial, stop }, onEvent);
      onEvent({ type: 'end', run });
    } catch (error) {
      tools.log.error({ error }, 'a run of trigger tests failed');
      onEvent({ type: 'error', ...toTurnError(error, true) });
    }
  };
}

/** Stores the results, even of a stopped run. */
async function runAndStore(
  { prompts, models, app, description, language, caller, secondsPerPrompt }: RunRequest,
  { trial, stop, ...tools }: Tools & { trial: Trial; stop: AbortSignal },
  onEvent: (event: TriggerEvent) => void,
) {
  const { audit, log, triggerRuns } = tools;
  const task = { trial, prompts, models, language, log, patienceMs: secondsPerPrompt * 1000 };
  const results = await runTriggers(task, stop, (result) => onEvent({ type: 'result', result }));
  const summaries = summarizeTriggers(task, results, tools.models);
  const ended = stop.aborted ? 'stopped' : 'whole';
  const what = {
    ...(app === undefined ? {} : { app }),
    ...(description === undefined ? {} : { description }),
    ended: ended as 'stopped' | 'whole',
    total: prompts.length,
    summaries,
  };
  await audit.record({
    by: caller,
    action: 'triggers-tested',
    kind: 'skill',
    target: trial.skill,
    after: { models, app, ended, requests: results.length },
  });
  return triggerRuns.add(trial.skill, { ...what, by: caller.name, prompts, results });
}
