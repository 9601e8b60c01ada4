import type { SignInWays } from '@knowhow/shared/access/oidc';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import type { Log } from '../../../platform/lib/log.ts';
import { createSeal } from '../../../platform/lib/seal.ts';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import type { Account } from '../caller.ts';
import { identityKey, type NamedUser } from '../identity.ts';
import type { SessionCache } from '../session-cache.ts';
import { sessionSeconds } from '../session-seconds.ts';
import type { SessionLimits, SessionOrigin } from '../sessions.ts';
import type { SignInAudit } from '../sign-in-audit.ts';
import {
  type AuthorizationRequest,
  completeAuthorization,
  decryptPendingSignIn,
  startAuthorization,
  type VerifiedIdentity,
} from './authorize-at-provider.ts';
import { createOidcClients, type OidcClients } from './oidc-client.ts';
import { type OidcProvider, oidcProviders, providerNames } from './oidc-providers.ts';
import { findAccountByToken, logoutTokenSeconds, readLogoutToken } from './provider-tokens.ts';
import { provisionAccount } from './provision-account.ts';
import { renewSessions } from './renew-sessions.ts';
import { createSessionOrigins, type NewSession, type SessionOrigins } from './session-origins.ts';
import { SignInRefused } from './sign-in-refused.ts';
import { createVerifyToken } from './verify-token.ts';

/** Sign-in with OpenID Connect providers. */
export interface OidcSignIn {
  clients: OidcClients;
  /** Usable providers, in order. */
  providers(): OidcProvider[];
  offered(): SignInWays['providers'];
  begin(
    provider: OidcProvider,
    way: { redirectUrl: string; returnTo: string },
  ): Promise<AuthorizationRequest>;
  /** The page to return to after sign-in; undefined if the state is not ours. */
  returnTo(provider: OidcProvider, kept: string | undefined): string | undefined;
  /**
   * Ends sessions by a logout token of a provider (back-channel logout). Returns their users.
   * Throws for an invalid token.
   */
  endByToken(provider: OidcProvider, token: string): Promise<NamedUser[]>;
  /** Ends a session by a front-channel logout request. */
  endBySid(provider: OidcProvider, issuer: string, sid: string): Promise<NamedUser[]>;
  /** The provider's logout URL (RP-initiated logout); undefined if that is disabled. */
  signOutUrl(sessionId: string, returnTo: () => string): Promise<string | undefined>;
  /** Starts a child session for an embedded frame: see `SessionOrigins`. Returns the id. */
  startChildSession(sessionId: string, session: NewSession): Promise<string>;
  /** Name of the provider of a session; undefined for a local sign-in. */
  providerOf(sessionId: string): Promise<string | undefined>;
  /** Rechecks active sessions at their providers: see `renewSessions`. */
  renew(lost: AbortSignal): Promise<void>;
  /** Issuers whose access tokens `/mcp` accepts. */
  tokenIssuers(): string[];
  /** See `findAccountByToken`. */
  accountOfToken(token: string): Promise<Account | null | undefined>;
  /** Completes a sign-in and starts a session. Throws `SignInRefused`. */
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
  /** Environment variables. */
  variables: Record<string, string | undefined>;
  /** 32 bytes. */
  key: Uint8Array;
  sessionLimits: () => SessionLimits;
  sessionCache: SessionCache;
  signInAudit: SignInAudit;
  log: Log;
  cluster: Pick<Cluster, 'limiter'>;
  /** The SSRF-guarded fetch. */
  fetch: typeof fetch;
}

export function openOidc(dependencies: OidcDependencies): OidcSignIn {
  const { contents, variables, key, fetch, cluster } = dependencies;
  const logoutTokens = cluster.limiter('logout tokens', logoutTokenSeconds);
  const flow = { clients: createOidcClients(fetch), seal: createSeal(key, 'oidc sign-ins') };
  const seal = createSeal(key, 'oidc sessions');
  const origins = createSessionOrigins({ ...dependencies, seal });
  const providers = () => oidcProviders(contents().platform, variables).providers;
  const { clients } = flow;
  const tokenDependencies = { clients, verify: createVerifyToken(fetch) };
  return {
    clients,
    providers,
    endByToken: async (provider, token) => {
      const { issuer, sid, subject, jti } = await readLogoutToken(
        token,
        provider,
        tokenDependencies,
      );
      const { count } = await logoutTokens.add(sha256(`${issuer} ${jti}`));
      if (count > 1) {
        throw new Error('This logout token has already been used.');
      }
      // A logout token with a session id concerns that session only, even if it has already ended.
      if (sid !== undefined) {
        return origins.end({ issuer, sid });
      }
      return subject === undefined ? [] : origins.end({ identity: identityKey(issuer, subject) });
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
          ...dependencies,
          clients,
          origins,
          providers,
          names: () => providerNames(contents().platform),
          admit: (...by) => provisionAccount(dependencies, ...by),
        },
        lost,
      ),
    tokenIssuers: () =>
      providers().flatMap(({ issuer, mcpAudience }) => (mcpAudience === undefined ? [] : [issuer])),
    accountOfToken: (token) =>
      findAccountByToken(token, providers(), { ...tokenDependencies, ...dependencies }),
    offered: () => providers().map(({ name, title }) => ({ name, title })),
    begin: (provider, way) => startAuthorization(provider, way, flow),
    returnTo: (provider, kept) => decryptPendingSignIn(kept, provider, flow.seal)?.returnTo,
    end: async (provider, { kept, query, from }) => {
      const pending = decryptPendingSignIn(kept, provider, flow.seal);
      if (!pending) {
        throw new SignInRefused(
          'not-begun',
          'The sign-in was not started in this browser, or has expired.',
        );
      }
      const verified = await completeAuthorization(provider, { pending, query }, flow);
      return completeSignIn({ ...dependencies, origins }, provider, { ...verified, from });
    },
  };
}

type SignInDependencies = OidcDependencies & { origins: SessionOrigins };

/** Checks the access policy, provisions the account and starts a session. */
async function completeSignIn(
  dependencies: SignInDependencies,
  provider: OidcProvider,
  verified: VerifiedIdentity & { from: SessionOrigin },
): Promise<SignedIn> {
  const { origins, contents, signInAudit } = dependencies;
  const admitted = await provisionAccount(dependencies, provider, verified).catch(
    async (error: unknown) => {
      if (error instanceof SignInRefused && error.identity !== undefined) {
        // Access that is denied now also ends existing sessions.
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
  const { sid, idToken, refreshToken, returnTo, from } = verified;
  const origin = { provider: provider.name, identity, sid, idToken, refreshToken };
  const sessionId = await origins.start({ userId: account.id, seconds, from }, origin);
  return { account, sessionId, seconds, returnTo };
}

interface Dependencies {
  clients: OidcClients;
  origins: SessionOrigins;
  providers: () => OidcProvider[];
}

/**
 * The logout URL of a session's provider; undefined if logout there is disabled or not supported.
 */
async function signOutUrl(
  sessionId: string,
  returnTo: () => string,
  { clients, origins, providers }: Dependencies,
): Promise<string | undefined> {
  const origin = await origins.find(sessionId);
  const provider = providers().find(({ name }) => name === origin?.provider);
  if (!origin || !provider?.rpInitiatedLogout) {
    return undefined;
  }
  // The local sign-out must work even if the provider is down.
  const metadata = await clients.discover(provider).catch(() => undefined);
  const end = metadata?.end_session_endpoint;
  if (end === undefined) {
    return undefined;
  }
  const url = new URL(end);
  url.searchParams.set('id_token_hint', origin.idToken);
  url.searchParams.set('client_id', provider.clientId);
  url.searchParams.set('post_logout_redirect_uri', returnTo());
  return url.href;
}
