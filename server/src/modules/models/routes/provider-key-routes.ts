import { providerKeysApi } from '@knowhow/shared/access/provider-keys';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import { listProviderKeys } from '../../admin/index.ts';
import type { Contents } from '../../content/index.ts';
import type { ProviderKeys } from '../provider-keys.ts';

interface Dependencies {
  contents: () => Contents;
  providerKeys: ProviderKeys;
  variables: Record<string, string | undefined>;
  audit: AuditLog;
}

/** Routes for model providers' API keys. No response and no log contains one. */
export function providerKeyRoutes(router: Router, dependencies: Dependencies): void {
  const { providerKeys, audit } = dependencies;
  const kind = 'key' as const;

  route(router, providerKeysApi.list, async ({ query }) =>
    paginate(await listProviderKeys(dependencies), query),
  );

  route(router, providerKeysApi.set, async ({ params, body, caller }) => {
    await providerKeys.set(params.variable, body.key, caller.name);
    await audit.record({ by: caller, action: 'key-entered', kind, target: params.variable });
  });

  route(router, providerKeysApi.remove, async ({ params, caller }) => {
    if (!(await providerKeys.remove(params.variable))) {
      throw problem('not-found', `No key was entered for ${params.variable}.`);
    }
    await audit.record({ by: caller, action: 'key-removed', kind, target: params.variable });
  });
}
