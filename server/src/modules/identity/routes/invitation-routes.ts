import { invitationsApi } from '@knowhow/shared/access/invitations';
import { problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import { addressBlock } from '../../../platform/http/address-block.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { AccessAudit } from '../access-audit.ts';
import { checkNewPassword, getMinPasswordLength } from '../check-new-password.ts';
import { checkInvitation, type Invitations, refuseVoid } from '../invitations.ts';
import { normalizeUsername } from '../usernames.ts';
import { type BeginSessionDependencies, beginSession } from './begin-session.ts';

interface Dependencies extends BeginSessionDependencies {
  invitations: Invitations;
  audit: AuditLog;
  accessAudit: AccessAudit;
}

/** Routes for invitation links. Audit entries never contain a token. */
export function invitationRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, invitations, contents, audit, accessAudit } = dependencies;
  const kind = 'user' as const;

  route(router, invitationsApi.list, async ({ query, caller }) => {
    const all = await invitations.list();
    await accessAudit.read({ by: caller, action: 'read', kind: 'access', target: 'invitations' });
    return paginate(all, query);
  });

  route(router, invitationsApi.create, async ({ caller, body }) => {
    checkInvitation(caller, body.groups, contents());
    const { token, details } = await invitations.create({ ...body, createdBy: caller });
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

  /** Finds the invitation of a token. Rejects an invalid one, and records the rejection. */
  const findValid = async (token: string, request: Request) => {
    const invitation = await invitations.find(token);
    const { note: target, groups, createdBy: invitedBy, isVoid } = invitation;
    if (isVoid) {
      const address = addressBlock(request);
      const by = { id: `address:${address}`, name: address };
      const after = { groups, invitedBy };
      await accessAudit.read({ by, action: 'invitation-refused', kind, target, after });
    }
    refuseVoid(invitation);
    return invitation;
  };

  route(router, invitationsApi.find, async ({ body, request }) => {
    const { expiresAt } = await findValid(body.token, request);
    return { expiresAt, passwordMinLength: getMinPasswordLength(contents().platform) };
  });

  route(router, invitationsApi.accept, async ({ body, request, response }) => {
    const { token, ...person } = body;
    const { platform } = contents();
    if (!platform.localAuth.enabled) {
      throw problem('forbidden', 'Password sign-in is disabled.');
    }
    const { note, groups, createdBy: invitedBy } = await findValid(token, request);
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
