import { adminApi } from '@knowhow/shared/config/admin';
import type { Router } from 'express';
import { type Caller, signedInCaller } from '../../access/caller.ts';
import { refuseUnknownMemberships } from '../../access/rights/refuse-unknown-groups.ts';
import { allGroupsOf } from '../../access/user-admin.ts';
import type { ConfigAdmin } from '../../admin/change-config.ts';
import { memberOf, tryAs } from '../../admin/try-as.ts';
import type { TurnDependencies } from '../../chat/prepare-turn.ts';
import { route } from '../route.ts';

export function adminTryRoutes(router: Router, dependencies: TurnDependencies & ConfigAdmin): void {
  const { contents, userAdmin } = dependencies;

  const callerFor = async (userId: string | undefined, groups: string[]): Promise<Caller> => {
    if (userId === undefined) {
      refuseUnknownMemberships(groups, contents());
      return memberOf(groups, contents());
    }
    const user = await userAdmin.get(userId);
    return signedInCaller({ ...user, groups: allGroupsOf(user) }, contents());
  };

  route(router, adminApi.tryAs, async ({ body, language }) => {
    const caller = await callerFor(body.user, body.groups ?? []);
    return tryAs({ caller, app: body.app, language }, dependencies);
  });
}
