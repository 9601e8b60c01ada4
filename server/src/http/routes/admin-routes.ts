import { adminApi } from '@knowhow/shared/admin';
import type { Router } from 'express';
import type { AuditLog } from '../../storage/audit-log.ts';
import { route } from '../route.ts';

interface Dependencies {
  version: string;
  warnings: () => string[];
  audit: AuditLog;
}

/** The installation itself, and who did what to it. */
export function adminRoutes(router: Router, { version, warnings, audit }: Dependencies): void {
  route(router, adminApi.status, () => ({ version, warnings: warnings() }));

  route(router, adminApi.audit, ({ query }) => audit.list(query));
}
