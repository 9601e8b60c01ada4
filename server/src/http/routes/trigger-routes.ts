import { triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import type { Router } from 'express';
import type { SkillAdmin } from '../../admin/skill-admin.ts';
import { findEntry } from '../../admin/skill-entries.ts';
import { beginTriggerRun, type TriggerBench } from '../../admin/trigger-bench.ts';
import { readTriggerPrompts, saveTriggerPrompts } from '../../admin/trigger-prompts.ts';
import { eventFrame } from '../../lib/event-frame.ts';
import { ignore } from '../../lib/ignore.ts';
import { changeOf } from '../change-of.ts';
import { countUntil } from '../limit-streams.ts';
import { pageOf } from '../page-of.ts';
import { factsOf } from '../request-facts.ts';
import { endWithAccess, route } from '../route.ts';
import { stream } from '../stream.ts';

/** Whether models pick a skill for what people write. */
export function triggerRoutes(router: Router, admin: SkillAdmin, bench: TriggerBench): void {
  const { skills } = admin;
  const nameOf = ({ name }: { name: string }) => findEntry(skills.snapshot, name).name;

  route(router, triggerTestsApi.prompts, ({ params }) =>
    readTriggerPrompts(skills, findEntry(skills.snapshot, params.name)),
  );

  route(router, triggerTestsApi.savePrompts, (call) =>
    saveTriggerPrompts(admin, changeOf(call), call.body.prompts),
  );

  route(router, triggerTestsApi.runs, async ({ params, query }) =>
    pageOf(await bench.runs.list(nameOf(params)), query),
  );

  route(router, triggerTestsApi.get, ({ params }) => bench.runs.get(nameOf(params), params.run));

  stream(router, triggerTestsApi.run, async ({ params, body, caller, language, request }) => {
    const asked = { ...params, ...body, caller, language };
    const log = bench.log.child(factsOf(request));
    const run = await beginTriggerRun(asked, { ...admin, ...bench, log });
    return (reader) => {
      const gone = new AbortController();
      let number = 0;
      const ended = run(gone.signal, (event) => {
        if (!gone.signal.aborted) {
          number += 1;
          reader.take(Buffer.from(eventFrame(number, event)));
        }
      });
      endWithAccess(triggerTestsApi.run, request);
      countUntil(request, ended);
      ended
        .catch((error: unknown) => log.error({ error }, 'a run of trigger tests broke off'))
        .finally(reader.end)
        .catch(ignore);
      return { resume: () => undefined, unsubscribe: () => gone.abort() };
    };
  });
}
