import { embedApi } from '@knowhow/shared/access/embed';
import { problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { addressBlock } from '../../../platform/http/address-block.ts';
import { route } from '../../../platform/http/route.ts';
import { getSession } from '../../../platform/http/session.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import { findApp } from '../../chat/index.ts';
import { type Contents, embedOrigins } from '../../content/index.ts';
import {
  type Accounts,
  getSessionOrigin,
  maxUncheckedSeconds,
  type OidcSignIn,
  type SessionCookies,
  type SessionTokens,
  type SignInAudit,
  sessionSeconds,
} from '../../identity/index.ts';

interface Dependencies {
  accounts: Accounts;
  oidc: Pick<OidcSignIn, 'startChildSession'>;
  tokens: SessionTokens;
  sessionCookies: SessionCookies;
  cluster: Cluster;
  contents: () => Contents;
  signInAudit: SignInAudit;
}

/**
 * Signs people in inside a frame of another site, where our cookie is not sent. A window of our own hands the
 * frame a one-time code. The frame proves with a code verifier (PKCE) that it requested it.
 */
export function embedRoutes(router: Router, dependencies: Dependencies): void {
  const { accounts, tokens, sessionCookies, cluster, contents, signInAudit } = dependencies;
  const codeUses = cluster.limiter('handed over', 2 * codeSeconds);

  route(router, embedApi.handOver, async ({ params, body, caller, request }) => {
    if (caller.anonymous) {
      throw problem('not-signed-in', 'Sign in first.');
    }
    const app = findApp(params.appId, caller, contents());
    if (embedOrigins(app).length === 0) {
      throw problem('not-found', `No other page may embed the app '${app.id}'.`);
    }
    const sessionId = await startChildSession(dependencies, request, caller.id);
    const username = (await accounts.usernameOf(caller.id)) ?? caller.id;
    await signInAudit.signedIn(
      { id: caller.id, name: caller.name, username },
      addressBlock(request),
    );
    const claims = { kind: 'handed-over' as const, sessionId, app: app.id, ...body };
    return { code: tokens.sign(claims, codeSeconds) };
  });

  route(router, embedApi.signIn, async ({ params, body, caller, response }) => {
    const claims = tokens.verify(body.code);
    const challenge = sha256(body.verifier, 'base64url');
    const app = caller.embeddedIn;
    const isValid = claims?.kind === 'handed-over' && claims.challenge === challenge;
    if (!isValid || app !== params.appId || claims.app !== app) {
      throw invalidCode();
    }
    if ((await codeUses.add(claims.sessionId)).count > 1) {
      throw invalidCode();
    }
    const seconds = sessionSeconds(contents().platform);
    const session = { kind: 'user' as const, sessionId: claims.sessionId, app };
    sessionCookies.set(response, { claims: session, seconds, app });
  });
}

/** A child session for the frame; ending the window's session ends both. */
function startChildSession(
  { accounts, oidc, contents }: Dependencies,
  request: Request,
  userId: string,
): Promise<string> {
  const { id: sessionId } = getSession(request);
  const seconds = sessionSeconds(contents().platform);
  const from = getSessionOrigin(request);
  // Without a session, a proxy authenticates the user, but does not tell the frame.
  return sessionId === undefined
    ? accounts.startSession(userId, Math.min(seconds, maxUncheckedSeconds), from)
    : oidc.startChildSession(sessionId, { userId, seconds, from });
}

const codeSeconds = 60;

function invalidCode() {
  return problem('not-signed-in', 'This sign-in has expired. Sign in again.');
}
