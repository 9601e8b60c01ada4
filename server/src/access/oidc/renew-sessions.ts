import { isRecord } from '@knowhow/shared/is-record';
import type { Log } from '../../lib/log.ts';
import { identityOf } from '../identity.ts';
import type { SignInAudit } from '../sign-in-audit.ts';
import { type OidcClients, reasonOf } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';
import type { Admitted } from './provision-account.ts';
import type { DueSession, SessionOrigins } from './session-origins.ts';
import { SignInRefused } from './sign-in-refused.ts';

interface Renewing {
  clients: OidcClients;
  origins: SessionOrigins;
  providers: () => OidcProvider[];
  /** Of all that are in the settings, also where they cannot be used. */
  names: () => string[];
  signInAudit: Pick<SignInAudit, 'ended'>;
  admit: (
    provider: OidcProvider,
    said: { issuer: string; claims: Record<string, unknown> },
  ) => Promise<Admitted>;
  log: Log;
}

/**
 * Asks providers again for sessions in use, where they have given something to ask with: groups are those of now,
 * and who may not be there any more is out. Where one does not answer, all stays, and it is asked again. What a
 * provider has begun that is not in the settings any more, or is switched off, ends.
 */
export async function renewSessions(renewing: Renewing, lost: AbortSignal): Promise<void> {
  await endOfRemoved(renewing);
  for (const session of await renewing.origins.due()) {
    if (lost.aborted) {
      return;
    }
    await renew(session, renewing);
  }
}

async function endOfRemoved({ origins, names, signInAudit }: Renewing): Promise<void> {
  const ended = await origins.end({ providersBut: names() });
  for (const name of new Set(ended.map(({ provider }) => provider ?? ''))) {
    const users = ended.filter(({ provider }) => provider === name);
    await signInAudit.ended(users, name, 'provider-gone');
  }
}

async function renew(session: DueSession, renewing: Renewing): Promise<void> {
  const { origins, providers, signInAudit, log } = renewing;
  const { sessionId, refreshToken, identity, provider: name } = session;
  const provider = providers().find((each) => each.name === name);
  if (!provider || refreshToken === undefined) {
    await origins.postpone(sessionId);
    return;
  }
  try {
    await askAgain(session, refreshToken, provider, renewing);
  } catch (error) {
    log.warn({ provider: name, detail: reasonOf(error) }, 'a session was not renewed');
    if (error instanceof SignInRefused && error.reason !== 'provider-down') {
      await signInAudit.ended(await origins.end({ identity }), name, error.reason);
    } else if (isInvalidGrant(error)) {
      await signInAudit.ended(await origins.endWithChildSessions(session), name, 'ended-there');
    } else {
      await origins.postpone(sessionId);
    }
  }
}

async function askAgain(
  session: DueSession,
  refreshToken: string,
  provider: OidcProvider,
  { clients, origins, admit }: Renewing,
): Promise<void> {
  const { library, config } = await clients.configure(provider);
  const tokens = await library.refreshTokenGrant(config, refreshToken);
  const { refresh_token = refreshToken, id_token = session.idToken, access_token } = tokens;
  // At once: the token before is good for nothing any more, whatever comes of the rest.
  const kept = { ...session, refreshToken: refresh_token, idToken: id_token };
  await origins.keep(session.sessionId, kept);
  const known = knownAs(session);
  const claims = tokens.claims();
  const { iss: issuer, sub: subject } = claims ?? { iss: known.issuer, sub: known.subject };
  if (identityOf(issuer, subject) !== session.identity) {
    throw new SignInRefused('not-trusted', 'It is about somebody else.');
  }
  const { userinfo_endpoint } = config.serverMetadata();
  const more =
    userinfo_endpoint === undefined
      ? undefined
      : await library.fetchUserInfo(config, access_token, subject);
  // Some send no ID token again. Without either, nothing has been said of anybody.
  if (claims ?? more) {
    await admit(provider, { issuer, claims: { ...more, ...claims } });
  }
}

/** No issuer has a blank in it. */
function knownAs({ identity }: DueSession): { issuer: string; subject: string } {
  const end = identity.indexOf(' ');
  return { issuer: identity.slice(0, end), subject: identity.slice(end + 1) };
}

/** The provider says that it is over. */
function isInvalidGrant(error: unknown): boolean {
  return isRecord(error) && error.error === 'invalid_grant';
}
