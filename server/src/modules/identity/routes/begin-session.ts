import type { Request, Response } from 'express';
import { addressBlock } from '../../../platform/http/address-block.ts';
import { getSession } from '../../../platform/http/session.ts';
import type { Contents } from '../../content/index.ts';
import type { Accounts } from '../accounts.ts';
import type { SessionCookies } from '../authenticators/session-cookies.ts';
import { getSessionOrigin } from '../authenticators/session-origin.ts';
import type { NamedUser } from '../identity.ts';
import { sessionSeconds } from '../session-seconds.ts';
import type { SignInAudit } from '../sign-in-audit.ts';

export interface BeginSessionDependencies {
  accounts: Accounts;
  sessionCookies: SessionCookies;
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
  const { accounts, sessionCookies, contents, signInAudit } = dependencies;
  const { id: previous, caller } = getSession(request);
  if (previous !== undefined) {
    await accounts.endSession(previous);
  }
  const seconds = providerSession?.seconds ?? sessionSeconds(contents().platform);
  const sessionId =
    providerSession?.sessionId ??
    (await accounts.startSession(user.id, seconds, getSessionOrigin(request)));
  await signInAudit.signedIn(user, addressBlock(request), providerSession?.provider);
  const claims = { kind: 'user' as const, sessionId };
  sessionCookies.set(response, { claims, seconds, app: caller.embeddedIn });
}
