import { authApi, type Me } from '@knowhow/shared/auth';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import type { Accounts } from '../../access/accounts.ts';
import { type Caller, signedInCaller } from '../../access/caller.ts';
import type { SessionTokens } from '../../access/session-tokens.ts';
import type { Contents } from '../../content/contents.ts';
import type { FailedLogins } from '../failed-logins.ts';
import { route } from '../route.ts';
import { clearSessionCookie, sessionOf, setSessionCookie } from '../session.ts';

interface Dependencies {
  accounts: Accounts;
  tokens: SessionTokens;
  contents: () => Contents;
  failedLogins: FailedLogins;
}

const defaultSessionMinutes = 480;

export function authRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, tokens, contents, failedLogins } = dependencies;

  route(router, authApi.login, async ({ body, request, response }) => {
    const { localAuth } = contents().platform;
    if (localAuth?.enabled === false) {
      throw problem('forbidden', 'Signing in with a password is switched off here.');
    }
    const attempt = failedLogins.begin(request.ip ?? '', body.username);
    const account = await accounts.checkPassword(body.username, body.password);
    if (!account) {
      attempt.failed();
      throw problem('wrong-credentials', 'The name or the password is wrong.');
    }
    await endSession(accounts, sessionOf(request).sessionId);
    const seconds = (localAuth?.sessionTimeoutMinutes ?? defaultSessionMinutes) * 60;
    const sessionId = await accounts.startSession(account.id, seconds);
    setSessionCookie(request, response, tokens.sign({ kind: 'user', sessionId }, seconds), seconds);
    return meOf(signedInCaller(account, contents()));
  });

  route(router, authApi.logout, async ({ request, response }) => {
    await endSession(accounts, sessionOf(request).sessionId);
    clearSessionCookie(request, response);
  });

  route(router, authApi.me, ({ caller }) => meOf(caller));
}

async function endSession(accounts: Accounts, sessionId: string | undefined): Promise<void> {
  if (sessionId !== undefined) {
    await accounts.endSession(sessionId);
  }
}

function meOf(caller: Caller): Me {
  return {
    id: caller.id,
    name: caller.name,
    groups: caller.groups,
    isAdmin: caller.permissions.adminAccess,
    anonymous: caller.anonymous,
    mayChat: caller.mayUse,
  };
}
