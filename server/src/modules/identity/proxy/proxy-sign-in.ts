import type { ProxyAuthConfig } from '@knowhow/shared/access/sign-in-config';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/contents.ts';
import type { Account } from '../caller.ts';
import { getUserGroups } from '../identity.ts';
import { endMatchingSessions } from '../oidc/end-matching-sessions.ts';
import { provisionAccount } from '../oidc/provision-account.ts';
import { SignInRefused } from '../oidc/sign-in-refused.ts';
import { createVerifyToken, type VerifyToken } from '../oidc/verify-token.ts';
import type { SessionCache } from '../session-cache.ts';
import type { SignInAudit } from '../sign-in-audit.ts';
import { createIdentityCache } from './identity-cache.ts';
import { type ProxiedRequest, type ProxyIdentity, readProxyHeaders } from './read-proxy-headers.ts';

/** Authenticates requests by headers of a reverse proxy. */
export interface ProxySignIn {
  isOn(): boolean;
  /** Undefined without such headers; null if access is denied or the headers are not trusted. */
  accountOf(request: ProxiedRequest): Promise<Account | null | undefined>;
}

interface Dependencies {
  database: Database;
  contents: () => Contents;
  signInAudit: SignInAudit;
  sessionCache: SessionCache;
  /** The SSRF-guarded fetch, for the signing keys. */
  fetch: typeof fetch;
}

/** A pause after which a request counts as a new sign-in in the audit log. */
const newSignInMs = 8 * 3600_000;

export function openProxySignIn(dependencies: Dependencies): ProxySignIn {
  const { contents, database, fetch } = dependencies;
  const verify = createVerifyToken(fetch);
  const cache = createIdentityCache();
  const config = () => {
    const { proxyAuth } = contents().platform;
    return proxyAuth?.enabled === true ? proxyAuth : undefined;
  };
  return {
    isOn: () => config() !== undefined,
    accountOf: async (request) => {
      const settings = config();
      const identity = settings && readProxyHeaders(settings, request);
      if (!settings || !identity) {
        return undefined;
      }
      const key = JSON.stringify([settings, identity]);
      let userId = cache.find(key);
      if (userId === undefined) {
        const admission = await authenticate(settings, identity, request, {
          ...dependencies,
          verify,
        });
        cache.keep(key, admission);
        ({ userId } = admission);
      }
      return userId === null ? null : findAccount(database, userId);
    },
  };
}

type SignInDependencies = Dependencies & { verify: VerifyToken };

interface Admission {
  /** The user ID; null if access is denied. */
  userId: string | null;
  /** End of validity, in milliseconds since 1970. */
  until: number;
}

/** Provisions the account, or denies access. Both are recorded in the audit log. */
async function authenticate(
  settings: ProxyAuthConfig,
  identity: ProxyIdentity,
  { address }: ProxiedRequest,
  dependencies: SignInDependencies,
): Promise<Admission> {
  const { signInAudit, verify } = dependencies;
  const provider = providerOf(settings);
  try {
    const verified = 'token' in identity ? await verifyHeader(identity, verify) : identity;
    const before = new Date(Date.now() - newSignInMs).toISOString();
    const { lastAt, isNew, ...account } = await provisionAccount(
      dependencies,
      { ...provider, ...('token' in identity ? identity.reading : {}) },
      verified,
    );
    if (isNew) {
      await signInAudit.madeAccount(account, account.groups, provider.name);
    }
    if (lastAt === undefined || lastAt < before) {
      await signInAudit.signedIn(account, address, provider.name);
    }
    return { userId: account.id, until: expiryOf(verified.claims) };
  } catch (error) {
    if (!(error instanceof SignInRefused)) {
      throw error;
    }
    const { username = '*', reason, identity } = error;
    if (identity !== undefined) {
      const ended = await endMatchingSessions(dependencies, { identity });
      await signInAudit.ended(ended, provider.name, reason);
    }
    await signInAudit.refused(username, address, `${provider.name}: ${reason}`);
    return { userId: null, until: Number.POSITIVE_INFINITY };
  }
}

/** Expiry of a token; plain headers have none. */
function expiryOf({ exp }: Record<string, unknown>): number {
  return typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY;
}

async function verifyHeader(
  { token, issuer, audience, jwksUri }: Extract<ProxyIdentity, { token: string }>,
  verify: VerifyToken,
) {
  try {
    const claims = await verify(token, { issuer, audience, jwksUri });
    // The proxy that signs people in vouches for their email address.
    return { issuer, claims: { email_verified: true, ...claims } };
  } catch (cause) {
    throw new SignInRefused('not-trusted', 'The signed header is invalid.', { cause });
  }
}

function providerOf(settings: ProxyAuthConfig) {
  return {
    name: 'proxy',
    title: settings.displayName ?? 'proxy',
    groupsAttribute: 'groups',
    nameAttribute: 'name',
    defaultGroups: settings.defaultGroups ?? [],
    allow: settings.allow,
    allowsSignup: settings.allowSelfSignup ?? false,
  };
}

async function findAccount(database: Database, id: string): Promise<Account | null> {
  const user = await database
    .selectFrom('users')
    .select(['id', 'name', 'groups', 'directory'])
    .where('id', '=', id)
    .where('disabled', '=', 0)
    .executeTakeFirst();
  return user ? { id, name: user.name, groups: getUserGroups(user) } : null;
}
