import type { Request, Response } from 'express';
import type { Contents } from '../../modules/content/contents.ts';
import type { Accounts } from '../../modules/identity/accounts.ts';
import type { NamedUser } from '../../modules/identity/identity.ts';
import { sessionSeconds } from '../../modules/identity/session-seconds.ts';
import type { SessionTokens } from '../../modules/identity/session-tokens.ts';
import type { SignInAudit } from '../../modules/identity/sign-in-audit.ts';
import { addressBlock } from '../address-block.ts';
import { getSession, setSessionCookie } from '../session.ts';
import { getSessionOrigin } from './session-origin.ts';

export interface BeginSessionDependencies {
  accounts: Accounts;
  tokens: SessionTokens;
  contents: () => Contents;
  signInAudit: SignInAudit;
}

/** A session that a sign-in at an identity provider has already created. */
interface ProviderSession {
  sessionId: string;
  seconds: number;
  provider: string;
}

/** Completes every sign-in: ends this browser's previous session and starts one for this user. */
export async function beginSession(
  dependencies: BeginSessionDependencies,
  { request, response }: { request: Request; response: Response },
  user: NamedUser,
  providerSession?: ProviderSession,
): Promise<void> {
  const { accounts, tokens, contents, signInAudit } = dependencies;
  const { sessionId: previous } = getSession(request);
  if (previous !== undefined) {
    await accounts.endSession(previous);
  }
  const seconds = providerSession?.seconds ?? sessionSeconds(contents().platform);
  const sessionId =
    providerSession?.sessionId ??
    (await accounts.startSession(user.id, seconds, getSessionOrigin(request)));
  await signInAudit.signedIn(user, addressBlock(request), providerSession?.provider);
  setSessionCookie(request, response, tokens.sign({ kind: 'user', sessionId }, seconds), seconds);
}
