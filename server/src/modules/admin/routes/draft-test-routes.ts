import { draftTestsApi } from '@knowhow/shared/skills/draft-tests';
import type { Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { followRun } from '../../../platform/http/follow-run.ts';
import { getLogFields } from '../../../platform/http/request-log-fields.ts';
import { route } from '../../../platform/http/route.ts';
import { stream } from '../../../platform/http/stream.ts';
import { checkDraftAccess } from '../skills/skill-scope.ts';
import { type DraftTestTools, planDraftTest, prepareDraftTest } from '../triggers/draft-tests.ts';

/** Routes for trigger tests of drafts. */
export function draftTestRoutes(router: Router, tools: DraftTestTools): void {
  const queue = boundedQueue({
    maxConcurrent: 2,
    maxWaiting: 20,
    maxPerCaller: 2,
    label: 'tests of drafts',
  });

  route(router, draftTestsApi.plan, async ({ params, caller, request }) => {
    await checkDraftAccess(tools, caller, params.skill);
    return queue(request, () => planDraftTest(tools, { ...params, caller }));
  });

  stream(router, draftTestsApi.run, async ({ params, body, caller, language, request }) => {
    await checkDraftAccess(tools, caller, params.skill);
    const asked = { ...params, ...body, caller, language };
    const log = tools.log.child(getLogFields(request));
    const run = await queue(request, () => prepareDraftTest({ ...tools, log }, asked));
    return followRun(request, draftTestsApi.run, run);
  });
}
