import { isRecord } from '@knowhow/shared/is-record';
import type { Log } from '../../lib/log.ts';
import type { Admitted } from './admit-account.ts';
import { type OidcClients, reasonOf } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';
import type { DueSession, SessionOrigins } from './session-origins.ts';
import { SignInRefused } from './sign-in-refused.ts';

interface Renewing {
  clients: OidcClients;
  origins: SessionOrigins;
  providers: () => OidcProvider[];
  admit: (
    provider: OidcProvider,
    said: { issuer: string; claims: Record<string, unknown> },
  ) => Promise<Admitted>;
  log: Log;
}

/**
 * Asks providers again for sessions in use, where they have given something to ask with: groups are those of now,
 * and who may not be there any more is out. Where one does not answer, all stays, and it is asked again.
 */
export async function renewSessions(renewing: Renewing, lost: AbortSignal): Promise<void> {
  for (const session of await renewing.origins.due()) {
    if (lost.aborted) {
      return;
    }
    await renew(session, renewing);
  }
}

async function renew(session: DueSession, renewing: Renewing): Promise<void> {
  const { origins, providers, log } = renewing;
  const { sessionId, refreshToken, provider: name } = session;
  const provider = providers().find((each) => each.name === name);
  if (!provider || refreshToken === undefined) {
    await origins.keep(sessionId, { ...session, refreshToken: undefined });
    return;
  }
  try {
    await origins.keep(sessionId, await askAgain(session, refreshToken, provider, renewing));
  } catch (error) {
    log.warn({ provider: name, detail: reasonOf(error) }, 'a session was not renewed');
    if (error instanceof SignInRefused && error.reason !== 'provider-down') {
      await origins.endAllOf(session.identity);
    } else if (isInvalidGrant(error)) {
      await origins.end(sessionId);
    } else {
      await origins.keep(sessionId, session);
    }
  }
}

async function askAgain(
  session: DueSession,
  refreshToken: string,
  provider: OidcProvider,
  { clients, admit }: Renewing,
) {
  const { library, config } = await clients.configure(provider);
  const tokens = await library.refreshTokenGrant(config, refreshToken);
  const claims = tokens.claims();
  const { refresh_token = refreshToken, id_token = session.idToken, access_token } = tokens;
  if (claims) {
    const { userinfo_endpoint } = config.serverMetadata();
    const more =
      userinfo_endpoint === undefined
        ? {}
        : await library.fetchUserInfo(config, access_token, claims.sub);
    const { identity } = await admit(provider, {
      issuer: claims.iss,
      claims: { ...more, ...claims },
    });
    if (identity !== session.identity) {
      throw new SignInRefused('not-trusted', 'It is about somebody else.');
    }
  }
  return { ...session, refreshToken: refresh_token, idToken: id_token };
}

/** The provider says that it is over. */
function isInvalidGrant(error: unknown): boolean {
  return isRecord(error) && error.error === 'invalid_grant';
}
