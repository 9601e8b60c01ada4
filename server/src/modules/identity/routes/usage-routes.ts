import { usageApi } from '@knowhow/shared/access/usage';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import type { AccessAudit } from '../access-audit.ts';
import { periodsAt } from '../quotas/periods.ts';
import type { Quotas } from '../quotas/quotas.ts';

/** Routes for token usage and quotas: one's own, and everyone's. */
export function usageRoutes(
  router: Router,
  { quotas, accessAudit }: { quotas: Quotas; accessAudit: AccessAudit },
): void {
  route(router, usageApi.own, async ({ caller }) => {
    const { dayEndsAt, monthEndsAt } = periodsAt(new Date());
    return {
      items: await quotas.of(caller),
      dayEndsAt: dayEndsAt.toISOString(),
      monthEndsAt: monthEndsAt.toISOString(),
    };
  });

  route(router, usageApi.all, async ({ query, caller }) => {
    const usage = await quotas.all();
    await accessAudit.read({ by: caller, action: 'read', kind: 'access', target: 'usage' });
    return paginate(usage, query);
  });
}
