import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import { z } from 'zod';
import { isLoopbackHost } from '../../../platform/lib/is-loopback-host.ts';
import type { OidcProvider } from './oidc-providers.ts';
import { SignInRefused } from './sign-in-refused.ts';

type Library = typeof import('openid-client');

/** Clients for identity providers, with a cache of their metadata. */
export interface OidcClients {
  /**
   * The checked metadata of a provider, at most `age` milliseconds old (default: ten minutes).
   * Throws `SignInRefused`.
   */
  discover(provider: OidcProvider, age?: number): Promise<ProviderMetadata>;
  /**
   * A client for one sign-in. Reloads the signing keys, so that key rotation is seen at once.
   * Throws `SignInRefused`.
   */
  configure(
    provider: OidcProvider,
    age?: number,
  ): Promise<{ library: Library; config: Configuration }>;
}

const freshMs = 10 * 60_000;
const timeoutSeconds = 15;
/** Clock skew tolerated between a provider and this machine. */
const clockSeconds = 60;

/** Back-off after a failed request to a provider. */
const backOffMs = 3000;

interface CacheEntry {
  metadata: Promise<ProviderMetadata>;
  /** Time of the request, in milliseconds since 1970. */
  at: number;
  hasFailed: boolean;
}

/** @param fetch the SSRF-guarded fetch */
export function createOidcClients(fetch: typeof globalThis.fetch): OidcClients {
  const cache = new Map<string, CacheEntry>();
  const send: CustomFetch = (url, options) => fetch(url, options as RequestInit);
  const discover = (provider: OidcProvider, age = freshMs) => {
    const found = cache.get(provider.issuer);
    if (found && Math.abs(Date.now() - found.at) < (found.hasFailed ? backOffMs : age)) {
      return found.metadata;
    }
    const entry = { metadata: loadMetadata(provider), at: Date.now(), hasFailed: false };
    cache.set(provider.issuer, entry);
    entry.metadata.catch(() => {
      entry.at = Date.now();
      entry.hasFailed = true;
    });
    return entry.metadata;
  };
  const loadMetadata = async (provider: OidcProvider) => {
    const library = await import('openid-client');
    try {
      const config = await library.discovery(
        new URL(provider.issuer),
        provider.clientId,
        undefined,
        library.None(),
        {
          [library.customFetch]: send,
          timeout: timeoutSeconds,
          execute: isPlainHttp(provider) ? [library.allowInsecureRequests] : [],
        },
      );
      const { supportsPKCE: _, ...metadata } = config.serverMetadata();
      return checkMetadata(metadata, provider);
    } catch (error) {
      throw new SignInRefused('provider-down', describeError(error), { cause: error });
    }
  };
  return {
    discover,
    configure: async (provider, age) => {
      const metadata = await discover(provider, age);
      const library = await import('openid-client');
      const config = new library.Configuration(
        structuredClone(metadata),
        provider.clientId,
        { [library.clockTolerance]: clockSeconds },
        authenticationOf(provider, metadata, library),
      );
      config[library.customFetch] = send;
      config.timeout = timeoutSeconds;
      if (isPlainHttp(provider)) {
        library.allowInsecureRequests(config);
      }
      library.enableNonRepudiationChecks(config);
      return { library, config };
    },
  };
}

/** The messages of an error and its causes, for administrators and the log. */
export function describeError(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 5; at = at.cause) {
    messages.push(at.message);
  }
  return [...new Set(messages)].join(': ').slice(0, 500) || String(error).slice(0, 500);
}

/** Plain HTTP, which is allowed on loopback only. */
function isPlainHttp({ issuer }: OidcProvider): boolean {
  return issuer.startsWith('http:');
}

function authenticationOf(
  { clientSecret }: OidcProvider,
  { token_endpoint_auth_methods_supported: methods }: ProviderMetadata,
  { None, ClientSecretBasic, ClientSecretPost }: Library,
) {
  if (clientSecret === undefined) {
    return None();
  }
  // The default of OpenID Connect Discovery.
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret);
}

const maxWords = 1000;

/** A list of strings. A custom check, because zod would report an issue for each wrong element. */
const words = z.custom<string[]>(
  (value) =>
    Array.isArray(value) &&
    value.length <= maxWords &&
    value.every((word) => typeof word === 'string'),
  `A list of at most ${maxWords} words.`,
);

/**
 * The metadata of a provider (OpenID Connect Discovery 1.0, section 3), as far as Knowhow uses it.
 */
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string().optional(),
  end_session_endpoint: z.string().optional(),
  scopes_supported: words.optional(),
  code_challenge_methods_supported: words.optional(),
  token_endpoint_auth_methods_supported: words.optional(),
  backchannel_logout_supported: z.boolean().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

type ProviderMetadata = ServerMetadata & z.infer<typeof metadataSchema>;

/** Fields with addresses that a client calls or opens. Others, such as `op_policy_uri`, are never used. */
const addressField = /_endpoint$|^jwks_uri$|^check_session_iframe$/;

/**
 * Checks the metadata of a provider: its fields, and that each address is https, or http on this machine
 * if the issuer is as well.
 *
 * @throws Error that names the first wrong field
 */
function checkMetadata(
  metadata: ServerMetadata,
  provider: Pick<OidcProvider, 'issuer'>,
): ProviderMetadata {
  for (const field of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    requireSecure(field, metadata[field], provider);
  }
  for (const [field, value] of addressesIn(metadata)) {
    requireSecure(field, value, provider);
  }
  const result = metadataSchema.safeParse(metadata);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`Its metadata is wrong in ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return { ...metadata, ...result.data };
}

function addressesIn(metadata: Record<string, unknown>): [string, unknown][] {
  const { mtls_endpoint_aliases: aliases } = metadata;
  const nested = typeof aliases === 'object' && aliases !== null ? Object.entries(aliases) : [];
  return [...Object.entries(metadata), ...nested].filter(
    ([field, value]) => addressField.test(field) && value !== undefined,
  );
}

function requireSecure(field: string, value: unknown, provider: Pick<OidcProvider, 'issuer'>) {
  if (typeof value !== 'string' || !isSecure(value, provider)) {
    throw new Error(`It names no address with https for ${field}.`);
  }
}

function isSecure(address: string, { issuer }: Pick<OidcProvider, 'issuer'>): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname } = new URL(address);
  const isLocal = protocol === 'http:' && isLoopbackHost(hostname);
  return protocol === 'https:' || (isLocal && issuer.startsWith('http:'));
}
