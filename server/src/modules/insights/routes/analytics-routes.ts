import { analyticsApi } from '@knowhow/shared/config/analytics';
import type { Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { endOnAccessLoss, route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { AccessAudit } from '../../identity/index.ts';
import type { Analytics } from '../analytics/analytics.ts';
import { reportCsv } from '../analytics/report-csv.ts';

interface Dependencies {
  analytics: Analytics;
  audit: AuditLog;
  accessAudit: AccessAudit;
}

/** Routes for analytics of skills, for administrators. */
export function analyticsRoutes(router: Router, dependencies: Dependencies): void {
  const { analytics, audit, accessAudit } = dependencies;
  const queue = boundedQueue({
    maxConcurrent: 1,
    maxWaiting: 20,
    maxPerCaller: 4,
    label: 'reports',
  });

  route(router, analyticsApi.skills, ({ query, request }) =>
    queue(request, () => analytics.report(query)),
  );

  route(router, analyticsApi.versions, ({ query, params: { skill }, request }) =>
    queue(request, () => analytics.versions({ ...query, skill })),
  );

  route(router, analyticsApi.reasons, ({ query, caller, request }) =>
    queue(request, async () => {
      await accessAudit.read({ by: caller, action: 'read', kind: 'access', target: 'feedback' });
      return analytics.reasons(query);
    }),
  );

  route(router, analyticsApi.skillsCsv, ({ query, caller, request, response }) =>
    queue(request, async () => {
      endOnAccessLoss(analyticsApi.skillsCsv, request);
      const report = await analytics.report(query);
      const { from, to } = report;
      const what = { kind: 'access' as const, target: 'analytics', after: { from, to } };
      await audit.record({ by: caller, action: 'export', ...what });
      response.attachment(`knowhow-skills-${from}-${to}.csv`);
      response.set('Cache-Control', 'private, no-store');
      response.type('text/csv').send(reportCsv(report));
    }),
  );
}
