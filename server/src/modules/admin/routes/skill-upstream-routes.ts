import { skillUpstreamsApi } from '@knowhow/shared/skills/skill-upstreams';
import type { Router } from 'express';
import type { Caller } from '../../../platform/http/caller.ts';
import { disconnectSignal } from '../../../platform/http/disconnect-signal.ts';
import { route } from '../../../platform/http/route.ts';
import type { SkillUpstreams } from '../sources/skill-upstreams.ts';

interface Call {
  params: { id: string; name: string };
  caller: Caller;
  request: Parameters<typeof disconnectSignal>[0];
}

/** Skills and the sources from which they were taken. */
export function skillUpstreamRoutes(
  router: Router,
  { skillUpstreams }: { skillUpstreams: SkillUpstreams },
): void {
  const { ofSkill, ofSource, detach, follow, propose } = skillUpstreamsApi;
  const takenOf = ({ params }: Call) => ({ source: params.id, name: params.name });
  const workOf = ({ caller: { id, name }, request }: Call) => ({
    by: { id, name },
    signal: disconnectSignal(request),
  });
  route(router, ofSkill, async ({ params }) => ({
    items: await skillUpstreams.ofSkill(params.name),
  }));
  route(router, ofSource, async ({ params }) => ({
    items: await skillUpstreams.ofSource(params.id),
  }));
  route(router, detach, (call) => skillUpstreams.detach(takenOf(call), workOf(call)));
  route(router, follow, (call) => skillUpstreams.follow(takenOf(call), workOf(call)));
  route(router, propose, (call) =>
    skillUpstreams.propose(takenOf(call), { ...workOf(call), message: call.body.message }),
  );
}
