import { accountApi } from '@knowhow/shared/access/account';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import { getSession } from '../../../platform/http/session.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Accounts } from '../accounts.ts';
import type { OwnSessions } from '../own-sessions.ts';

interface Dependencies {
  accounts: Accounts;
  ownSessions: OwnSessions;
  audit: AuditLog;
}

/** Routes for the user's active sessions. Guests have none. */
export function sessionRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, ownSessions, audit } = dependencies;

  route(router, accountApi.sessions, async ({ caller, query, request }) =>
    paginate(await ownSessions.list(caller.id, getSession(request).id), query),
  );

  route(router, accountApi.endSession, async ({ caller, params }) => {
    const {
      id: _id,
      isCurrent: _isCurrent,
      ...before
    } = await ownSessions.end(caller.id, params.id);
    const target = (await accounts.usernameOf(caller.id)) ?? caller.id;
    await audit.record({ by: caller, action: 'ended', kind: 'session', target, before });
  });

  route(router, accountApi.endOtherSessions, async ({ caller, request }) => {
    rejectGuest(caller, 'A guest has no sessions.');
    await accounts.endSessionsOf(caller.id, getSession(request).id);
    const target = (await accounts.usernameOf(caller.id)) ?? caller.id;
    await audit.record({ by: caller, action: 'ended-others', kind: 'session', target });
  });
}
