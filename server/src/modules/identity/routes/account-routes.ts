import { accountApi } from '@knowhow/shared/access/account';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { addressBlock } from '../../../platform/http/address-block.ts';
import { route } from '../../../platform/http/route.ts';
import { getSession } from '../../../platform/http/session.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Contents } from '../../content/index.ts';
import { checkChanged, checkNewPassword } from '../check-new-password.ts';
import { checkPassword, type PasswordDependencies } from './check-password.ts';

interface Dependencies extends PasswordDependencies {
  contents: () => Contents;
  audit: AuditLog;
}

/** Routes for the user's own password. */
export function accountRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, contents, audit } = dependencies;
  route(router, accountApi.changePassword, async ({ body, caller, request }) => {
    const username = caller.anonymous ? undefined : await accounts.usernameOf(caller.id);
    if (username === undefined) {
      throw problem('not-signed-in', 'Sign in first: a guest has no password.');
    }
    const provider = await accounts.signsInWith(caller.id);
    if (provider !== undefined) {
      throw problem('conflict', `You sign in with ${provider}: this account has no password.`);
    }
    checkNewPassword(body.password, { username, platform: contents().platform });
    const address = addressBlock(request);
    // Rate-limits guessing in a session left open, as at sign-in.
    await checkPassword(dependencies, { username, password: body.current, address });
    checkChanged(body.password, body.current);
    const { id: keep } = getSession(request);
    await accounts.setPassword(caller.id, { password: body.password, isMade: false, keep });
    const what = { kind: 'user' as const, target: username };
    await audit.record({ by: caller, action: 'password-changed', ...what });
  });
}
