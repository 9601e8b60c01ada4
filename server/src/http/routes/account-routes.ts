import { accountApi } from '@knowhow/shared/account';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import type { Accounts } from '../../access/accounts.ts';
import { checkChanged, checkNewPassword } from '../../access/check-new-password.ts';
import type { Contents } from '../../content/contents.ts';
import type { AuditLog } from '../../storage/audit-log.ts';
import { addressBlock } from '../address-block.ts';
import type { FailedLogins } from '../failed-logins.ts';
import { route } from '../route.ts';
import { sessionOf } from '../session.ts';

interface Dependencies {
  accounts: Accounts;
  contents: () => Contents;
  failedLogins: FailedLogins;
  audit: AuditLog;
}

/** The own account. */
export function accountRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, contents, failedLogins, audit } = dependencies;

  route(router, accountApi.changePassword, async ({ body, caller, request }) => {
    const username = caller.anonymous ? undefined : await accounts.usernameOf(caller.id);
    if (username === undefined) {
      throw problem('not-signed-in', 'Sign in first: a guest has no password.');
    }
    checkNewPassword(body.password, { username, platform: contents().platform });
    const address = addressBlock(request);
    const account = await failedLogins.attempt({ address, username }, () =>
      accounts.checkPassword(username, body.current, address),
    );
    if (!account) {
      throw problem('wrong-credentials', 'The current password is wrong.');
    }
    checkChanged(body.password, body.current);
    const { sessionId: keep } = sessionOf(request);
    await accounts.setPassword(caller.id, { password: body.password, isMade: false, keep });
    const what = { kind: 'user' as const, target: username };
    await audit.record({ by: caller, action: 'password-changed', ...what });
  });
}
