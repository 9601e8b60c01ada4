import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import type { Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { route } from '../../../platform/http/route.ts';
import type { ModelList } from '../../chat/index.ts';
import type { Quotas } from '../../identity/index.ts';
import type { SkillStore } from '../../skills/index.ts';
import type { CallServices } from '../../tools/index.ts';
import {
  connectSource,
  decideOnTool,
  listToolSources,
  switchSource,
  type ToolAdmin,
} from '../settings/admin-tools.ts';
import { tryTool } from '../try-tool.ts';

interface Dependencies extends Omit<ToolAdmin, 'toolbox'> {
  skills: SkillStore;
  callServices: CallServices;
  models: ModelList;
  quotas: Pick<Quotas, 'begin'>;
}

export function adminToolRoutes(router: Router, dependencies: Dependencies): void {
  const { toolbox } = dependencies.callServices;
  const admin = { ...dependencies, toolbox, takeTurn: dependencies.quotas.begin };
  const queueTrials = boundedQueue({
    maxConcurrent: 4,
    maxWaiting: 20,
    maxPerCaller: 4,
    label: 'tool tests',
  });

  route(router, adminToolsApi.list, async () => ({ sources: await listToolSources(admin) }));

  route(router, adminToolsApi.put, ({ caller, params, body }) =>
    decideOnTool(admin, params.name, { by: caller, decision: body }),
  );

  route(router, adminToolsApi.putSource, ({ caller, params, body }) =>
    switchSource(admin, params.source, { by: caller, enabled: body.enabled }),
  );

  route(router, adminToolsApi.connect, async ({ caller, params }) => {
    const connected = await connectSource(admin, params.source);
    const what = { kind: 'tool' as const, target: params.source };
    await admin.audit.record({ by: caller, action: 'tested', ...what });
    return connected;
  });

  route(router, adminToolsApi.tryOut, ({ caller, params, body, request }) =>
    queueTrials(request, (signal) =>
      tryTool(admin, params.name, { caller, input: body.input, signal }),
    ),
  );
}
