import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import { deleteUser, type UserDeletion } from '../../admin/index.ts';
import type { MailSettings } from '../../skills/index.ts';
import type { AccessAudit } from '../access-audit.ts';
import type { SecondFactors } from '../second-factors.ts';

interface Dependencies extends UserDeletion {
  secondFactors: SecondFactors;
  accessAudit: AccessAudit;
  mailSettings: MailSettings;
}

/** Routes for users. Audit entries never contain a password. */
export function adminUserRoutes(router: Router, dependencies: Dependencies): void {
  const { userAdmin, conversations, secondFactors, audit, accessAudit, mailSettings } =
    dependencies;

  route(router, adminUsersApi.list, async ({ query, caller }) => {
    const users = await userAdmin.list();
    await accessAudit.read({ by: caller, action: 'read', kind: 'access', target: 'users' });
    return paginate(users.filter(matchesQuery(query.query ?? '')), query);
  });

  route(router, adminUsersApi.create, async ({ body, caller }) => {
    const created = await userAdmin.create(body, caller);
    const { user } = created;
    const what = { kind: 'user' as const, target: user.username, after: user };
    await audit.record({ by: caller, action: 'create', ...what });
    return created;
  });

  route(router, adminUsersApi.get, async ({ params: { id }, caller }) => {
    const user = await userAdmin.get(id);
    await accessAudit.read({ by: caller, action: 'read', kind: 'user', target: user.username });
    const { language: _, ...mail } = await mailSettings.get(id);
    return { ...user, conversations: await conversations.countOf(id), mail };
  });

  route(router, adminUsersApi.remove, ({ params, query, caller }) =>
    deleteUser(dependencies, { id: params.id, by: caller, ...query }),
  );

  route(router, adminUsersApi.update, async ({ params, body, caller }) => {
    const { before, after } = await userAdmin.update(params.id, body, caller);
    const what = { kind: 'user' as const, target: after.username, before, after };
    await audit.record({ by: caller, action: 'update', ...what });
    return after;
  });

  route(router, adminUsersApi.setMailAddress, async ({ params: { id }, body, caller }) => {
    const { username: target } = await userAdmin.get(id);
    await userAdmin.checkRights(id, caller);
    const { language: _, ...before } = await mailSettings.get(id);
    await mailSettings.setAddress(id, body.address);
    const { language: __, ...after } = await mailSettings.get(id);
    await audit.record({ by: caller, action: 'mail-address', kind: 'user', target, before, after });
    return after;
  });

  route(router, adminUsersApi.removeSecondFactor, async ({ params, caller }) => {
    const { username: target } = await userAdmin.get(params.id);
    await userAdmin.checkRights(params.id, caller);
    if (await secondFactors.remove(params.id)) {
      await audit.record({ by: caller, action: 'second-factor-off', kind: 'user', target });
    }
  });

  route(router, adminUsersApi.moveSignIn, async ({ params, body, caller }) => {
    const { from, to } = await userAdmin.moveSignIn(params.id, body.to, caller);
    const after = { from: from.username, provider: from.directory?.provider };
    const what = { kind: 'user' as const, target: to.username, after };
    await audit.record({ by: caller, action: 'sign-in-moved', ...what });
    return userAdmin.get(to.id);
  });

  route(router, adminUsersApi.resetPassword, async ({ params, body, caller }) => {
    const { user, ...made } = await userAdmin.resetPassword(params.id, caller, body.password);
    const what = { kind: 'user' as const, target: user.username };
    await audit.record({ by: caller, action: 'reset-password', ...what });
    return made;
  });
}

function matchesQuery(query: string): (user: User) => boolean {
  const words = query.toLowerCase().split(/\s+/);
  return ({ username, name, groups }) => {
    const text = [username, name, ...groups].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
