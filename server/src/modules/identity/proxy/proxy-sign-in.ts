import type { ProxyAuthConfig } from '@knowhow/shared/access/sign-in-config';
import { sha256 } from '../../../platform/lib/sha256.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Contents } from '../../content/index.ts';
import type { Account } from '../caller.ts';
import { getUserGroups } from '../identity.ts';
import { endMatchingSessions } from '../oidc/end-matching-sessions.ts';
import { provisionAccount } from '../oidc/provision-account.ts';
import { SignInRefused } from '../oidc/sign-in-refused.ts';
import { createVerifyToken, type VerifyToken } from '../oidc/verify-token.ts';
import type { SessionCache } from '../session-cache.ts';
import type { SignInAudit } from '../sign-in-audit.ts';

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

interface CacheEntry {
  userId: string | null;
  /** Expiry time, in milliseconds since 1970. */
  until: number;
}

/** A short-lived cache of the accounts for proxy headers. */
interface IdentityCache {
  /** The user ID; null if access is denied, undefined if unknown or expired. */
  find(words: string): string | null | undefined;
  /** @param until milliseconds since 1970; at most one minute from now */
  keep(words: string, answer: { userId: string | null; until: number }): void;
}

const maxAgeMs = 60_000;

const maxAdmitted = 5000;

/** A separate limit: forged headers must not evict the entries of signed-in users. */
const maxRefused = 500;

/** Keys are hashes: headers are up to 16 kB each and may contain tokens. */
function createIdentityCache(): IdentityCache {
  const admitted = new Map<string, CacheEntry>();
  const refused = new Map<string, CacheEntry>();
  return {
    find: (words) => {
      const key = sha256(words, 'base64url');
      const known = admitted.get(key) ?? refused.get(key);
      const left = (known?.until ?? 0) - Date.now();
      // An entry must not live longer if the clock is set back.
      return left > 0 && left <= maxAgeMs ? known?.userId : undefined;
    },
    keep: (words, { userId, until }) => {
      const key = sha256(words, 'base64url');
      admitted.delete(key);
      refused.delete(key);
      const [kept, most] = userId === null ? [refused, maxRefused] : [admitted, maxAdmitted];
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) {
        kept.delete(oldest);
      }
      kept.set(key, { userId, until: Math.min(until, Date.now() + maxAgeMs) });
    },
  };
}

interface ProxiedRequest {
  /** Duplicated headers are not trusted. */
  headersDistinct: NodeJS.Dict<string[]>;
  /** Whether the request comes from an address listed in TRUST_PROXY. */
  isTrusted: boolean;
  /** The address as used by rate limits. */
  address: string;
}

/** The identity in the headers of a request: trusted as it is, or a token to verify. */
type ProxyIdentity = Plain | Signed;

interface Plain {
  issuer: string;
  claims: Record<string, unknown>;
}

interface Signed {
  token: string;
  issuer: string;
  audience: string;
  jwksUri: string;
  reading: { groupsAttribute?: string; nameAttribute?: string };
}

/** Cannot collide with the issuer of a token. */
const plainIssuer = 'proxy:headers';

const maxLength = 16_000;

/**
 * Reads signed headers if they are configured, and nothing else then. Plain headers are read only
 * from trusted addresses.
 */
function readProxyHeaders(
  settings: ProxyAuthConfig,
  request: ProxiedRequest,
): ProxyIdentity | undefined {
  const { jwtProviders = [] } = settings;
  if (jwtProviders.length > 0) {
    for (const {
      header,
      issuer,
      audience,
      jwkUrl,
      groupsAttribute,
      nameAttribute,
    } of jwtProviders) {
      const token = headerOf(header, request);
      if (token !== undefined) {
        const reading = {
          ...(groupsAttribute === undefined ? {} : { groupsAttribute }),
          ...(nameAttribute === undefined ? {} : { nameAttribute }),
        };
        return { token, issuer, audience, jwksUri: jwkUrl, reading };
      }
    }
    return undefined;
  }
  const { userHeader = 'x-forwarded-user', groupsHeader = 'x-forwarded-groups' } = settings;
  const user = request.isTrusted ? headerOf(userHeader, request) : undefined;
  if (user === undefined) {
    return undefined;
  }
  const groups = headerOf(groupsHeader, request) ?? '';
  return {
    issuer: plainIssuer,
    claims: {
      sub: user,
      preferred_username: user,
      name: headerOf(settings.nameHeader ?? 'x-forwarded-preferred-username', request),
      email: headerOf(settings.emailHeader ?? 'x-forwarded-email', request),
      email_verified: true,
      groups: groups
        .split(/[,;|]/)
        .map((group) => group.trim())
        .filter(Boolean),
    },
  };
}

/** A header that occurs once. Header values are Latin-1 bytes, and most proxies send UTF-8. */
function headerOf(name: string, { headersDistinct }: ProxiedRequest): string | undefined {
  const [value = '', ...more] = headersDistinct[name.toLowerCase()] ?? [];
  if (more.length > 0 || value.length > maxLength || value.trim() === '') {
    return undefined;
  }
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return (text.includes('\uFFFD') ? value : text).trim();
}
