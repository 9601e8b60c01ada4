import { triggerScheduleApi, triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import type { Router } from 'express';
import { followRun } from '../../../platform/http/follow-run.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { getLogFields } from '../../../platform/http/request-log-fields.ts';
import { route } from '../../../platform/http/route.ts';
import { stream } from '../../../platform/http/stream.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { findEntry } from '../skills/skill-entries.ts';
import { saveTriggerPrompts } from '../triggers/save-prompts.ts';
import type { TriggerScheduler } from '../triggers/schedule/trigger-schedule.ts';
import { beginTriggerRun, type CountedBench } from '../triggers/trigger-bench.ts';
import { readTriggerPrompts } from '../triggers/trigger-prompts.ts';
import { getSkillWrite } from './get-skill-write.ts';

type Dependencies = SkillAdmin &
  CountedBench & { triggerSchedule: Pick<TriggerScheduler, 'state'> };

/** Routes for trigger tests: whether models activate a skill for given messages. */
export function triggerRoutes(router: Router, { triggerSchedule, ...bench }: Dependencies): void {
  const { skills, triggerRuns } = bench;
  const resolveName = ({ name }: { name: string }) => findEntry(skills.snapshot, name).name;

  route(router, triggerTestsApi.prompts, ({ params }) =>
    readTriggerPrompts(skills, findEntry(skills.snapshot, params.name)),
  );

  route(router, triggerTestsApi.savePrompts, (call) =>
    saveTriggerPrompts(bench, getSkillWrite({ ...call, query: {} }), call.body.prompts),
  );

  route(router, triggerScheduleApi.state, () => triggerSchedule.state());

  route(router, triggerTestsApi.runs, async ({ params, query }) =>
    paginate(await triggerRuns.list(resolveName(params)), query),
  );

  route(router, triggerTestsApi.get, ({ params }) =>
    triggerRuns.get(resolveName(params), params.run),
  );

  stream(router, triggerTestsApi.run, async ({ params, body, caller, language, request }) => {
    const options = { ...params, ...body, caller, language };
    const log = bench.log.child(getLogFields(request));
    const run = await beginTriggerRun(options, { ...bench, log });
    return followRun(request, triggerTestsApi.run, run);
  });
}
