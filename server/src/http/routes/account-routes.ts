import { accountApi } from '@knowhow/shared/account';
import { Problem, problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { checkChanged, checkNewPassword } from '../../access/check-new-password.ts';
import { isRefusal, type SignInAudit } from '../../access/sign-in-audit.ts';
import type { Contents } from '../../content/contents.ts';
import { addressBlock } from '../address-block.ts';
import type { FailedLogins } from '../failed-logins.ts';
import { route } from '../route.ts';
import { sessionOf } from '../session.ts';
import { type ApiKeyDependencies, apiKeyRoutes } from './api-key-routes.ts';
import { type ConnectionDependencies, connectionRoutes } from './connection-routes.ts';
import { type PreferenceDependencies, preferenceRoutes } from './own/preference-routes.ts';
import { type SessionRouteDependencies, sessionRoutes } from './own/session-routes.ts';

interface Dependencies
  extends ConnectionDependencies,
    ApiKeyDependencies,
    PreferenceDependencies,
    SessionRouteDependencies {
  contents: () => Contents;
  failedLogins: FailedLogins;
  signInAudit: SignInAudit;
}

/** The own account, and what it is signed in to. */
export function accountRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, contents, audit } = dependencies;
  connectionRoutes(router, dependencies);
  apiKeyRoutes(router, dependencies);
  preferenceRoutes(router, dependencies);
  sessionRoutes(router, dependencies);

  route(router, accountApi.changePassword, async ({ body, caller, request }) => {
    const username = caller.anonymous ? undefined : await accounts.usernameOf(caller.id);
    if (username === undefined) {
      throw problem('not-signed-in', 'Sign in first: a guest has no password.');
    }
    const elsewhere = await accounts.signsInWith(caller.id);
    if (elsewhere !== undefined) {
      throw problem('conflict', `You sign in with ${elsewhere}: there is no password here.`);
    }
    checkNewPassword(body.password, { username, platform: contents().platform });
    const address = addressBlock(request);
    await checkCurrent(dependencies, { username, password: body.current, address });
    checkChanged(body.password, body.current);
    const { sessionId: keep } = sessionOf(request);
    await accounts.setPassword(caller.id, { password: body.password, isMade: false, keep });
    const what = { kind: 'user' as const, target: username };
    await audit.record({ by: caller, action: 'password-changed', ...what });
  });
}

/** Whoever guesses here, in a session that somebody has left open, is kept in mind as at the sign-in. */
async function checkCurrent(
  { accounts, failedLogins, signInAudit }: Dependencies,
  { username, password, address }: { username: string; password: string; address: string },
): Promise<void> {
  try {
    const account = await failedLogins.attempt({ address, username }, () =>
      accounts.checkPassword(username, password, address),
    );
    if (!account) {
      throw problem('wrong-credentials', 'The current password is wrong.');
    }
  } catch (error) {
    if (error instanceof Problem && isRefusal(error.code)) {
      await signInAudit.refused(username, address, error.code);
    }
    throw error;
  }
}
