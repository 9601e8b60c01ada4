import type { Configuration, CustomFetch } from 'openid-client';
import type { OidcProvider } from './oidc-providers.ts';
import { checkMetadata, type ProviderMetadata } from './provider-metadata.ts';
import { SignInRefused } from './sign-in-refused.ts';

type Library = typeof import('openid-client');

/** What is known of providers, and how they are asked. */
export interface OidcClients {
  /**
   * The checked metadata of a provider, at most `age` milliseconds old (default: ten minutes).
   * Throws `SignInRefused`.
   */
  discover(provider: OidcProvider, age?: number): Promise<ProviderMetadata>;
  /** For one sign-in: its keys are asked for again, so that new ones are known at once. Throws `SignInRefused`. */
  configure(
    provider: OidcProvider,
    age?: number,
  ): Promise<{ library: Library; config: Configuration }>;
}

const freshMs = 10 * 60_000;
const timeoutSeconds = 15;
/** By how much the clocks of a provider and of this machine may differ. */
const clockSeconds = 60;

/** A provider that does not answer is not asked again at once, whoever wants it. */
const pauseMs = 3000;

interface Known {
  metadata: Promise<ProviderMetadata>;
  /** Milliseconds since 1970, when it was asked for. */
  at: number;
  hasFailed: boolean;
}

/** @param fetch the guarded way out */
export function createOidcClients(fetch: typeof globalThis.fetch): OidcClients {
  const known = new Map<string, Known>();
  const send: CustomFetch = (url, options) => fetch(url, options as RequestInit);
  const discover = (provider: OidcProvider, age = freshMs) => {
    const found = known.get(provider.issuer);
    if (found && Math.abs(Date.now() - found.at) < (found.hasFailed ? pauseMs : age)) {
      return found.metadata;
    }
    const entry = { metadata: ask(provider), at: Date.now(), hasFailed: false };
    known.set(provider.issuer, entry);
    entry.metadata.catch(() => {
      entry.at = Date.now();
      entry.hasFailed = true;
    });
    return entry.metadata;
  };
  const ask = async (provider: OidcProvider) => {
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
          execute: isClear(provider) ? [library.allowInsecureRequests] : [],
        },
      );
      const { supportsPKCE: _, ...metadata } = config.serverMetadata();
      return checkMetadata(metadata, provider);
    } catch (error) {
      throw new SignInRefused('provider-down', reasonOf(error), { cause: error });
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
      if (isClear(provider)) {
        library.allowInsecureRequests(config);
      }
      library.enableNonRepudiationChecks(config);
      return { library, config };
    },
  };
}

/** What went wrong, for administrators and the log: the innermost of it says most. */
export function reasonOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 5; at = at.cause) {
    messages.push(at.message);
  }
  return [...new Set(messages)].join(': ').slice(0, 500) || String(error).slice(0, 500);
}

/** Only on this machine. */
function isClear({ issuer }: OidcProvider): boolean {
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
  // What says nothing takes this one.
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret);
}
