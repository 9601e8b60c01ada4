import type { ProxyAuthConfig } from '@knowhow/shared/access/sign-in-config';

export interface ProxiedRequest {
  /** Duplicated headers are not trusted. */
  headersDistinct: NodeJS.Dict<string[]>;
  /** Whether the request comes from an address listed in TRUST_PROXY. */
  isTrusted: boolean;
  /** The address as used by rate limits. */
  address: string;
}

/** The identity in the headers of a request: trusted as it is, or a token to verify. */
export type ProxyIdentity = Plain | Signed;

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
export function readProxyHeaders(
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
