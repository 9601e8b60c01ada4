import { skillSourceHooksApi, skillSourcesApi } from '@knowhow/shared/skills/skill-sources';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { disconnectSignal } from '../../../platform/http/disconnect-signal.ts';
import { route, uploadRoute } from '../../../platform/http/route.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { createSource, findSource, removeSource, updateSource } from '../sources/change-sources.ts';
import type { SourceSync } from '../sources/sync-sources.ts';
import type { SourceHooks } from '../sources/sync-unattended.ts';
import { isPublisher } from './get-skill-write.ts';

interface Services extends SkillAdmin {
  sourceSync: SourceSync;
  sourceHooks: SourceHooks;
}

/** Git repositories from which skills come. */
export function skillSourceRoutes(
  router: Router,
  { sourceSync, sourceHooks, ...admin }: Services,
): void {
  const { list, create, get, update, remove, sync, proposal, files, apply } = skillSourcesApi;
  const byOf = ({ id, name }: { id: string; name: string }) => ({ id, name });

  uploadRoute(router, skillSourceHooksApi.receive, async (call, { bytes }) => {
    const { params, request, response } = call;
    sourceHooks.receive(params.id, { headers: request.headers, body: bytes });
    response.status(202);
    return { status: 'accepted' as const };
  });

  route(router, list, async () => ({
    items: await Promise.all(admin.contents().skillSources.map(sourceSync.describe)),
  }));

  route(router, create, async ({ body, caller, response }) => {
    const source = await createSource(admin, byOf(caller), body);
    response.status(201);
    return sourceSync.describe(source);
  });

  route(router, get, ({ params }) => sourceSync.describe(findSource(admin, params.id)));

  route(router, update, async (call) => {
    const before = findSource(admin, call.params.id);
    const after = await updateSource(admin, getChangeContext(call), call.body);
    await sourceSync.reselect(before, after);
    return sourceSync.describe(after);
  });

  route(router, remove, ({ params: { id }, caller, request }) => {
    const work = { signal: disconnectSignal(request) };
    return sourceSync.remove(findSource(admin, id), work, () =>
      removeSource(admin, { by: byOf(caller), id }),
    );
  });

  route(router, sync, ({ params, caller, request }) =>
    sourceSync.sync(findSource(admin, params.id), {
      by: byOf(caller),
      isPublisher: isPublisher(caller),
      reason: undefined,
      signal: disconnectSignal(request),
    }),
  );

  route(router, proposal, ({ params, request }) =>
    sourceSync.propose(findSource(admin, params.id), disconnectSignal(request)),
  );

  route(router, files, ({ params, query, request }) =>
    sourceSync.readFiles(findSource(admin, params.id), query.key, disconnectSignal(request)),
  );

  route(router, apply, ({ params, body, caller, request }) => {
    const signal = disconnectSignal(request);
    const reason = body.override?.reason;
    const work = { by: byOf(caller), isPublisher: isPublisher(caller), reason, signal };
    return sourceSync.apply(findSource(admin, params.id), work, body);
  });
}
