import { isRecord } from '@knowhow/shared/is-record';
import type { Log } from '../../../platform/lib/log.ts';
import { identityKey } from '../identity.ts';
import type { SignInAudit } from '../sign-in-audit.ts';
import { describeError, type OidcClients } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';
import type { ProvisionedAccount } from './provision-account.ts';
import type { DueSession, SessionOrigins } from './session-origins.ts';
import { SignInRefused } from './sign-in-refused.ts';

interface Dependencies {
  clients: OidcClients;
  origins: SessionOrigins;
  providers: () => OidcProvider[];
  /** Names of all configured providers, including misconfigured ones. */
  names: () => string[];
  signInAudit: Pick<SignInAudit, 'ended'>;
  admit: (
    provider: OidcProvider,
    verified: { issuer: string; claims: Record<string, unknown> },
  ) => Promise<ProvisionedAccount>;
  log: Log;
}

/**
 * Rechecks active sessions at their providers with refresh tokens. Updates the groups, and ends the
 * sessions of people who lost access. If a provider does not answer, sessions continue and are
 * checked again later. Sessions of removed or disabled providers end.
 */
export async function renewSessions(dependencies: Dependencies, lost: AbortSignal): Promise<void> {
  await endSessionsOfRemovedProviders(dependencies);
  for (const session of await dependencies.origins.due()) {
    if (lost.aborted) {
      return;
    }
    await renew(session, dependencies);
  }
}

async function endSessionsOfRemovedProviders({
  origins,
  names,
  signInAudit,
}: Dependencies): Promise<void> {
  const ended = await origins.end({ providersBut: names() });
  for (const name of new Set(ended.map(({ provider }) => provider ?? ''))) {
    const users = ended.filter(({ provider }) => provider === name);
    await signInAudit.ended(users, name, 'provider-gone');
  }
}

async function renew(session: DueSession, dependencies: Dependencies): Promise<void> {
  const { origins, providers, signInAudit, log } = dependencies;
  const { sessionId, refreshToken, identity, provider: name } = session;
  const provider = providers().find((each) => each.name === name);
  if (!provider || refreshToken === undefined) {
    await origins.postpone(sessionId);
    return;
  }
  try {
    await refreshSession(session, refreshToken, provider, dependencies);
  } catch (error) {
    log.warn({ provider: name, detail: describeError(error) }, 'failed to renew a session');
    if (error instanceof SignInRefused && error.reason !== 'provider-down') {
      await signInAudit.ended(await origins.end({ identity }), name, error.reason);
    } else if (isInvalidGrant(error)) {
      await signInAudit.ended(await origins.endWithChildSessions(session), name, 'ended-there');
    } else {
      await origins.postpone(sessionId);
    }
  }
}

async function refreshSession(
  session: DueSession,
  refreshToken: string,
  provider: OidcProvider,
  { clients, origins, admit }: Dependencies,
): Promise<void> {
  const { library, config } = await clients.configure(provider);
  const tokens = await library.refreshTokenGrant(config, refreshToken);
  const { refresh_token = refreshToken, id_token = session.idToken, access_token } = tokens;
  // Store the new token first: with rotation, the old one is already invalid.
  const renewed = { ...session, refreshToken: refresh_token, idToken: id_token };
  await origins.keep(session.sessionId, renewed);
  const stored = parseIdentity(session);
  const claims = tokens.claims();
  const { iss: issuer, sub: subject } = claims ?? { iss: stored.issuer, sub: stored.subject };
  if (identityKey(issuer, subject) !== session.identity) {
    throw new SignInRefused('not-trusted', 'The tokens are about another subject.');
  }
  const { userinfo_endpoint } = config.serverMetadata();
  const more =
    userinfo_endpoint === undefined
      ? undefined
      : await library.fetchUserInfo(config, access_token, subject);
  // Some providers send no ID token on refresh. Without ID token and user info there is nothing to
  // check.
  if (claims ?? more) {
    await admit(provider, { issuer, claims: { ...more, ...claims } });
  }
}

/** Issuers contain no blanks. */
function parseIdentity({ identity }: DueSession): { issuer: string; subject: string } {
  const end = identity.indexOf(' ');
  return { issuer: identity.slice(0, end), subject: identity.slice(end + 1) };
}

/** The provider has revoked the refresh token or ended the session. */
function isInvalidGrant(error: unknown): boolean {
  return isRecord(error) && error.error === 'invalid_grant';
}
