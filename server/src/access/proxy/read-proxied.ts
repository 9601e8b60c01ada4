import type { ProxyAuthConfig } from '@knowhow/shared/access/sign-in-config';

export interface ProxiedRequest {
  /** Those that came more than once are not believed. */
  headersDistinct: NodeJS.Dict<string[]>;
  /** It comes from an address that TRUST_PROXY names. */
  isTrusted: boolean;
  /** As it is counted in limits. */
  address: string;
}

/** What a request says of who makes it: believed as it is, or a token that has to hold. */
export type Said = Plain | Signed;

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

/** No issuer of tokens can be called so. */
const plainIssuer = 'proxy:headers';
const maxLength = 16_000;

/** Signed headers where they are set up, and then nothing else; plain ones from trusted addresses alone. */
export function readProxied(settings: ProxyAuthConfig, request: ProxiedRequest): Said | undefined {
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

/** Of one that came once, as text: headers are bytes, and most proxies mean UTF-8. */
function headerOf(name: string, { headersDistinct }: ProxiedRequest): string | undefined {
  const [value = '', ...more] = headersDistinct[name.toLowerCase()] ?? [];
  if (more.length > 0 || value.length > maxLength || value.trim() === '') {
    return undefined;
  }
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return (text.includes('\uFFFD') ? value : text).trim();
}
