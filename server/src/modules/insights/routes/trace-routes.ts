import { tracesApi } from '@knowhow/shared/chat/traces';
import type { Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import type { SkillStore } from '../../skills/index.ts';
import { findOutcome, findTrace } from '../traces/find-trace.ts';
import type { Traces } from '../traces/traces.ts';

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
  database: Database;
  audit: AuditLog;
  traces: Traces;
}

export function traceRoutes(router: Router, dependencies: Dependencies): void {
  // The longest trace is several MB, buffered until it is sent.
  const queueRead = boundedQueue({
    maxConcurrent: 4,
    maxWaiting: 200,
    maxPerCaller: 12,
    label: 'traces',
  });

  route(router, tracesApi.get, ({ caller, params, request }) =>
    queueRead(request, () => findTrace({ caller, messageId: params.id }, dependencies)),
  );

  route(router, tracesApi.skill, ({ caller, params, request }) =>
    queueRead(request, () =>
      findOutcome({ caller, messageId: params.id, name: params.name }, dependencies),
    ),
  );
}
