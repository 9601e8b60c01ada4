import { apiKeysApi } from '@knowhow/shared/access/api-keys';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { paginate } from '../../../http/paginate.ts';
import { route } from '../../../http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { ApiKeys } from '../api-keys.ts';
import type { Caller } from '../caller.ts';

interface Dependencies {
  apiKeys: ApiKeys;
  audit: AuditLog;
}

/** Routes for the user's own API keys. */
export function apiKeyRoutes(router: Router, { apiKeys, audit }: Dependencies): void {
  route(router, apiKeysApi.list, async ({ caller, query }) =>
    paginate(caller.anonymous ? [] : await apiKeys.list(caller.id), query),
  );

  route(router, apiKeysApi.create, async ({ caller, body }) => {
    rejectGuest(caller);
    const created = await apiKeys.create(caller.id, body);
    const { name: target, id: _id, createdAt: _createdAt, ...after } = created.details;
    await audit.record({ by: caller, action: 'created', kind: 'key', target, after });
    return created;
  });

  route(router, apiKeysApi.remove, async ({ caller, params }) => {
    rejectGuest(caller);
    const { name: target, prefix } = await apiKeys.revoke(caller.id, params.id);
    await audit.record({ by: caller, action: 'revoked', kind: 'key', target, before: { prefix } });
  });
}

function rejectGuest({ anonymous }: Caller): void {
  if (anonymous) {
    throw problem('forbidden', 'Sign in first: a guest has no keys.');
  }
}
