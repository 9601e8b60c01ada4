import { adminApi } from '@knowhow/shared/admin';
import type { Router } from 'express';
import type { SkillAdmin } from '../../admin/skill-admin.ts';
import type { AuditLog } from '../../storage/audit-log.ts';
import { route } from '../route.ts';
import { runnerRoutes } from './runner-routes.ts';

interface Dependencies {
  version: string;
  warnings: () => string[];
  audit: AuditLog;
  skillAdmin: Pick<SkillAdmin, 'scripts' | 'contents'>;
}

/** The installation itself, and who did what to it. */
export function adminRoutes(
  router: Router,
  { version, warnings, audit, skillAdmin }: Dependencies,
): void {
  runnerRoutes(router, skillAdmin);
  route(router, adminApi.status, () => ({ version, warnings: warnings() }));

  route(router, adminApi.audit, ({ query }) => audit.list(query));
}
