import { invitationsApi } from '@knowhow/shared/access/invitations';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import type { AccessAudit } from '../../../access/access-audit.ts';
import { checkNewPassword, minLengthOf } from '../../../access/check-new-password.ts';
import type { Invitations } from '../../../access/invitations.ts';
import { refuseMoreRights, rightsIn } from '../../../access/rights/admin-rights.ts';
import { refuseUnknownMemberships } from '../../../access/rights/refuse-unknown-groups.ts';
import { normalizeUsername } from '../../../access/usernames.ts';
import type { AuditLog } from '../../../storage/audit-log.ts';
import { type BeginDependencies, beginSession } from '../../cookies/begin-session.ts';
import { pageOf } from '../../page-of.ts';
import { route } from '../../route.ts';

interface Dependencies extends BeginDependencies {
  invitations: Invitations;
  audit: AuditLog;
  accessAudit: AccessAudit;
}

/** Links by which people make accounts of their own. The log never holds one. */
export function invitationRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, invitations, contents, audit, accessAudit } = dependencies;
  const kind = 'user' as const;

  route(router, invitationsApi.list, async ({ query, caller }) => {
    const all = await invitations.list();
    await accessAudit.read({ by: caller, action: 'read', kind: 'access', target: 'invitations' });
    return pageOf(all, query);
  });

  route(router, invitationsApi.create, async ({ caller, body }) => {
    refuseUnknownMemberships(body.groups, contents());
    const rights = rightsIn(body.groups, contents());
    refuseMoreRights(caller, rights, 'Whoever comes would look after more than you do.');
    const { token, details } = await invitations.create({ ...body, createdBy: caller.name });
    const { note: target, groups, expiresAt } = details;
    const after = { groups, expiresAt };
    await audit.record({ by: caller, action: 'invited', kind, target, after });
    return { path: `/invitation#${token}`, details };
  });

  route(router, invitationsApi.remove, async ({ caller, params }) => {
    const { note: target, groups } = await invitations.remove(params.id);
    const before = { groups };
    await audit.record({ by: caller, action: 'invitation-revoked', kind, target, before });
  });

  route(router, invitationsApi.find, async ({ body }) => {
    const { expiresAt } = await invitations.find(body.token);
    return { expiresAt, passwordMinLength: minLengthOf(contents().platform) };
  });

  route(router, invitationsApi.accept, async ({ body, request, response }) => {
    const { token, ...person } = body;
    const { platform } = contents();
    if (platform.localAuth?.enabled === false) {
      throw problem('forbidden', 'Signing in with a password is switched off here.');
    }
    const { note, groups, createdBy: invitedBy } = await invitations.find(token);
    checkNewPassword(person.password, { username: person.username, platform });
    const id = await accounts.createUser({ ...person, groups, isMade: false }, (transaction) =>
      invitations.use(transaction, token),
    );
    const user = { id, name: person.name, username: normalizeUsername(person.username) };
    const after = { groups, invitation: note, invitedBy };
    await audit.record({ by: user, action: 'create', kind, target: user.username, after });
    await beginSession(dependencies, { request, response }, user);
  });
}
