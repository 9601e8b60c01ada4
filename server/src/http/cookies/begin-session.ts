import type { Request, Response } from 'express';
import type { Accounts } from '../../access/accounts.ts';
import type { NamedUser } from '../../access/identity.ts';
import { sessionSeconds } from '../../access/session-seconds.ts';
import type { SessionTokens } from '../../access/session-tokens.ts';
import type { SignInAudit } from '../../access/sign-in-audit.ts';
import type { Contents } from '../../content/contents.ts';
import { addressBlock } from '../address-block.ts';
import { sessionOf, setSessionCookie } from '../session.ts';
import { sessionOrigin } from './session-origin.ts';

export interface BeginDependencies {
  accounts: Accounts;
  tokens: SessionTokens;
  contents: () => Contents;
  signInAudit: SignInAudit;
}

/** A session that a sign-in elsewhere has begun. */
interface Begun {
  sessionId: string;
  seconds: number;
  provider: string;
}

/** How every sign-in ends: what this browser had before is over, and it has a session of this user. */
export async function beginSession(
  dependencies: BeginDependencies,
  { request, response }: { request: Request; response: Response },
  user: NamedUser,
  begun?: Begun,
): Promise<void> {
  const { accounts, tokens, contents, signInAudit } = dependencies;
  const { sessionId: former } = sessionOf(request);
  if (former !== undefined) {
    await accounts.endSession(former);
  }
  const seconds = begun?.seconds ?? sessionSeconds(contents().platform);
  const sessionId =
    begun?.sessionId ?? (await accounts.startSession(user.id, seconds, sessionOrigin(request)));
  await signInAudit.signedIn(user, addressBlock(request), begun?.provider);
  setSessionCookie(request, response, tokens.sign({ kind: 'user', sessionId }, seconds), seconds);
}
