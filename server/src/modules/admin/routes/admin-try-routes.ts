import { adminApi } from '@knowhow/shared/config/admin';
import type { Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import type { TurnDependencies } from '../../chat/index.ts';
import {
  type AccessAudit,
  assertMembershipsExist,
  type Caller,
  getAllGroups,
  requireRight,
  signedInCaller,
} from '../../identity/index.ts';
import type { ConfigAdmin } from '../settings/change-config.ts';
import { memberOf, tryAs } from '../try-as.ts';

type Dependencies = TurnDependencies & ConfigAdmin & { accessAudit: AccessAudit };

export function adminTryRoutes(router: Router, dependencies: Dependencies): void {
  const { contents, userAdmin, accessAudit } = dependencies;

  const callerFor = async (by: Caller, userId: string | undefined, groups: string[]) => {
    if (userId === undefined) {
      assertMembershipsExist(groups, contents());
      return memberOf(groups, contents());
    }
    // Otherwise the permission for skills would reveal every user's groups.
    requireRight(by, 'users');
    const user = await userAdmin.get(userId);
    await accessAudit.read({ by, action: 'tried-as', kind: 'user', target: user.username });
    return signedInCaller({ ...user, groups: getAllGroups(user) }, contents());
  };

  route(router, adminApi.tryAs, async ({ body, language, caller: by }) => {
    const caller = await callerFor(by, body.user, body.groups ?? []);
    return tryAs({ by, caller, app: body.app, language }, dependencies);
  });
}
