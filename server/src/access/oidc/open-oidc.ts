import { createHash } from 'node:crypto';
import type { SignInWays } from '@knowhow/shared/access/oidc';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Contents } from '../../content/contents.ts';
import type { Log } from '../../lib/log.ts';
import { createSeal } from '../../lib/seal.ts';
import type { Database } from '../../storage/open-database.ts';
import type { Account } from '../caller.ts';
import { identityOf, type NamedUser } from '../identity.ts';
import { sessionSeconds } from '../session-seconds.ts';
import type { SessionLimits, SessionOrigin } from '../sessions.ts';
import type { SignInAudit } from '../sign-in-audit.ts';
import {
  type Begun,
  completeAuthorization,
  pendingOf,
  startAuthorization,
  type VerifiedIdentity,
} from './authorize-at-provider.ts';
import { createOidcClients, type OidcClients } from './oidc-client.ts';
import { type OidcProvider, oidcProviders, providerNames } from './oidc-providers.ts';
import { accountOfToken, logoutTokenSeconds, readLogoutToken } from './provider-tokens.ts';
import { provisionAccount } from './provision-account.ts';
import { renewSessions } from './renew-sessions.ts';
import { createSessionOrigins, type NewSession, type SessionOrigins } from './session-origins.ts';
import { SignInRefused } from './sign-in-refused.ts';
import { signOutUrl } from './sign-out-url.ts';
import { createVerifyToken } from './verify-token.ts';

/** Signing in with providers of OpenID Connect. */
export interface OidcSignIn {
  clients: OidcClients;
  /** Those that can be used, in their order. */
  providers(): OidcProvider[];
  offered(): SignInWays['providers'];
  begin(provider: OidcProvider, way: { redirectUrl: string; returnTo: string }): Promise<Begun>;
  /** Where somebody wanted to go who comes back with this; undefined where nothing of it is ours. */
  returnTo(provider: OidcProvider, kept: string | undefined): string | undefined;
  /** Ends sessions that a provider says have ended there. Answers whose they were. Throws where it cannot be believed. */
  endByToken(provider: OidcProvider, token: string): Promise<NamedUser[]>;
  /** The same, for one session, as a browser is made to say. */
  endBySid(provider: OidcProvider, issuer: string, sid: string): Promise<NamedUser[]>;
  /** Where a browser signs out there, too, and comes back from; undefined where that is not wanted. */
  signOutUrl(sessionId: string, returnTo: () => string): Promise<string | undefined>;
  /** Begins another session beside one, for a frame: see `SessionOrigins`. Answers the id. */
  startChildSession(sessionId: string, session: NewSession): Promise<string>;
  /** The name of the provider with which a session began; undefined for one that began here. */
  providerOf(sessionId: string): Promise<string | undefined>;
  /** Asks providers again for sessions in use: see `renewSessions`. */
  renew(lost: AbortSignal): Promise<void>;
  /** Issuers whose access tokens `/mcp` takes. */
  tokenIssuers(): string[];
  /** See `accountOfToken`. */
  accountOfToken(token: string): Promise<Account | null | undefined>;
  /** Begins a session. Throws `SignInRefused`. */
  end(
    provider: OidcProvider,
    back: { kept: string | undefined; query: URLSearchParams; from: SessionOrigin },
  ): Promise<SignedIn>;
}

export interface SignedIn {
  account: Account & { username: string };
  sessionId: string;
  seconds: number;
  returnTo: string;
}

export interface OidcDependencies {
  database: Database;
  contents: () => Contents;
  /** The environment's. */
  variables: Record<string, string | undefined>;
  /** 32 bytes. */
  key: Uint8Array;
  sessionLimits: () => SessionLimits;
  signInAudit: SignInAudit;
  log: Log;
  cluster: Pick<Cluster, 'limiter'>;
  /** The guarded way out to providers. */
  fetch: typeof fetch;
}

export function openOidc(dependencies: OidcDependencies): OidcSignIn {
  const { contents, variables, key, fetch, cluster } = dependencies;
  const logoutTokens = cluster.limiter('logout tokens', logoutTokenSeconds);
  const asking = { clients: createOidcClients(fetch), seal: createSeal(key, 'oidc sign-ins') };
  const seal = createSeal(key, 'oidc sessions');
  const origins = createSessionOrigins({ ...dependencies, seal });
  const providers = () => oidcProviders(contents().platform, variables).providers;
  const { clients } = asking;
  const verifying = { clients, verify: createVerifyToken(fetch) };
  return {
    clients,
    providers,
    endByToken: async (provider, token) => {
      const { issuer, sid, subject, jti } = await readLogoutToken(token, provider, verifying);
      const { count } = await logoutTokens.add(hashOf(`${issuer} ${jti}`));
      if (count > 1) {
        throw new Error('This logout token was used before.');
      }
      // With a session id the token is about that session alone, also if it has ended here.
      if (sid !== undefined) {
        return origins.end({ issuer, sid });
      }
      return subject === undefined ? [] : origins.end({ identity: identityOf(issuer, subject) });
    },
    endBySid: async (provider, issuer, sid) =>
      issuer === (await clients.discover(provider)).issuer ? origins.end({ issuer, sid }) : [],
    signOutUrl: (sessionId, returnTo) =>
      signOutUrl(sessionId, returnTo, { clients, origins, providers }),
    startChildSession: origins.startChildSession,
    providerOf: async (sessionId) => (await origins.find(sessionId))?.provider,
    renew: (lost) =>
      renewSessions(
        {
          ...{ ...dependencies, clients, origins, providers },
          names: () => providerNames(contents().platform),
          admit: (...by) => provisionAccount(dependencies, ...by),
        },
        lost,
      ),
    tokenIssuers: () =>
      providers().flatMap(({ issuer, mcpAudience }) => (mcpAudience === undefined ? [] : [issuer])),
    accountOfToken: (token) =>
      accountOfToken(token, providers(), { ...verifying, ...dependencies }),
    offered: () => providers().map(({ name, title }) => ({ name, title })),
    begin: (provider, way) => startAuthorization(provider, way, asking),
    returnTo: (provider, kept) => pendingOf(kept, provider, asking.seal)?.returnTo,
    end: async (provider, { kept, query, from }) => {
      const pending = pendingOf(kept, provider, asking.seal);
      if (!pending) {
        throw new SignInRefused('not-begun', 'It was not begun in this browser, or is too old.');
      }
      const said = await completeAuthorization(provider, { pending, query }, asking);
      return completeSignIn({ ...dependencies, origins }, provider, { ...said, from });
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

type LettingIn = OidcDependencies & { origins: SessionOrigins };

/** Whoever the provider has said it is: by the rule, into the account of this subject. */
async function completeSignIn(
  dependencies: LettingIn,
  provider: OidcProvider,
  said: VerifiedIdentity & { from: SessionOrigin },
): Promise<SignedIn> {
  const { origins, contents, signInAudit } = dependencies;
  const admitted = await provisionAccount(dependencies, provider, said).catch(
    async (error: unknown) => {
      if (error instanceof SignInRefused && error.identity !== undefined) {
        // Whoever may not come in any more is not to stay in, either.
        const ended = await origins.end({ identity: error.identity });
        await signInAudit.ended(ended, provider.name, error.reason);
      }
      throw error;
    },
  );
  const { identity, isNew, lastAt: _, ...account } = admitted;
  if (isNew) {
    await signInAudit.madeAccount(account, account.groups, provider.name);
  }
  const seconds = sessionSeconds(contents().platform);
  const { sid, idToken, refreshToken, returnTo, from } = said;
  const origin = { provider: provider.name, identity, sid, idToken, refreshToken };
  const sessionId = await origins.start({ userId: account.id, seconds, from }, origin);
  return { account, sessionId, seconds, returnTo };
}
