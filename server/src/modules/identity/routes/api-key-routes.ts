import { apiKeysApi } from '@knowhow/shared/access/api-keys';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { ApiKeys } from '../api-keys.ts';

interface Dependencies {
  apiKeys: ApiKeys;
  audit: AuditLog;
}

const guestMessage = 'A guest has no keys.';

/** Routes for the user's own API keys. */
export function apiKeyRoutes(router: Router, { apiKeys, audit }: Dependencies): void {
  route(router, apiKeysApi.list, async ({ caller, query }) =>
    paginate(caller.anonymous ? [] : await apiKeys.list(caller.id), query),
  );

  route(router, apiKeysApi.create, async ({ caller, body }) => {
    rejectGuest(caller, guestMessage);
    const created = await apiKeys.create(caller.id, body);
    const { name: target, id: _id, createdAt: _createdAt, ...after } = created.details;
    await audit.record({ by: caller, action: 'created', kind: 'key', target, after });
    return created;
  });

  route(router, apiKeysApi.remove, async ({ caller, params }) => {
    rejectGuest(caller, guestMessage);
    const { name: target, prefix } = await apiKeys.revoke(caller.id, params.id);
    await audit.record({ by: caller, action: 'revoked', kind: 'key', target, before: { prefix } });
  });
}
