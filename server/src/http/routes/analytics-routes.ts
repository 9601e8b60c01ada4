import { analyticsApi } from '@knowhow/shared/config/analytics';
import type { Router } from 'express';
import type { Analytics } from '../../analytics/analytics.ts';
import { reportCsv } from '../../analytics/report-csv.ts';
import { boundedQueue } from '../bounded-queue.ts';
import { endWithAccess, route } from '../route.ts';

/** How skills are used, for admins. */
export function analyticsRoutes(router: Router, { analytics }: { analytics: Analytics }): void {
  const queue = boundedQueue({ atOnce: 1, waiting: 20, ofOne: 4, what: 'reports' });

  route(router, analyticsApi.skills, ({ query, request }) =>
    queue(request, () => analytics.report(query)),
  );

  route(router, analyticsApi.reasons, ({ query, request }) =>
    queue(request, () => analytics.reasons(query)),
  );

  route(router, analyticsApi.skillsCsv, ({ query, request, response }) =>
    queue(request, async () => {
      endWithAccess(analyticsApi.skillsCsv, request);
      const report = await analytics.report(query);
      response.attachment(`knowhow-skills-${report.from}-${report.to}.csv`);
      response.set('Cache-Control', 'private, no-store');
      response.type('text/csv').send(reportCsv(report));
    }),
  );
}
