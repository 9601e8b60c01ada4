import { authApi, type Me } from '@knowhow/shared/auth';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import type { z } from 'zod';
import type { Accounts } from '../../access/accounts.ts';
import { type Account, type Caller, signedInCaller } from '../../access/caller.ts';
import type { SessionTokens } from '../../access/session-tokens.ts';
import type { Contents } from '../../content/contents.ts';
import type { FailedLogins, LoginAttempt } from '../failed-logins.ts';
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
    const account = await checkPassword(accounts, attempt, body);
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

/** Throws `wrong-credentials`. Only a wrong password stays counted, not a database that is away. */
async function checkPassword(
  accounts: Accounts,
  attempt: LoginAttempt,
  { username, password }: z.output<typeof authApi.login.body>,
): Promise<Account> {
  let account: Account | undefined;
  try {
    account = await accounts.checkPassword(username, password);
  } catch (error) {
    attempt.notFailed();
    throw error;
  }
  if (!account) {
    throw problem('wrong-credentials', 'The name or the password is wrong.');
  }
  attempt.notFailed();
  return account;
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
