import type { Configuration, CustomFetch } from 'openid-client';
import type { OidcProvider } from './oidc-providers.ts';
import { checkMetadata, type ProviderMetadata } from './provider-metadata.ts';
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
