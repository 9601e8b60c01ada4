import { serviceKeysApi } from '@knowhow/shared/access/service-keys';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { RunningTurns } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import type { ConversationStore } from '../../conversations/index.ts';
import { checkServiceKey, type ServiceKeys, serviceKeyOwner } from '../service-keys.ts';

interface Dependencies {
  serviceKeys: ServiceKeys;
  contents: () => Contents;
  conversations: ConversationStore;
  runningTurns: RunningTurns;
  audit: AuditLog;
}

/** Routes for service keys, which act on behalf of no user. */
export function serviceKeyRoutes(router: Router, dependencies: Dependencies): void {
  const { serviceKeys, contents, conversations, runningTurns, audit } = dependencies;

  route(router, serviceKeysApi.list, async ({ query }) =>
    paginate(await serviceKeys.list(), query),
  );

  route(router, serviceKeysApi.create, async ({ caller, body }) => {
    checkServiceKey(caller, body.groups, contents());
    const created = await serviceKeys.create({ ...body, createdBy: caller });
    const { id: _id, name: target, createdAt: _createdAt, ...after } = created.details;
    await audit.record({ by: caller, action: 'created', kind: 'key', target, after });
    return created;
  });

  route(router, serviceKeysApi.remove, async ({ caller, params }) => {
    const { name: target, prefix, groups } = await serviceKeys.revoke(params.id);
    const owner = serviceKeyOwner(params.id);
    await runningTurns.stopAllOf(owner);
    const deleted = await conversations.removeAllOf(owner);
    const before = { prefix, groups, conversations: { deleted } };
    await audit.record({ by: caller, action: 'revoked', kind: 'key', target, before });
  });
}
