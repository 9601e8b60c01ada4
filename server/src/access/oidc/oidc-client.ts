import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client';
import type { OidcProvider } from './oidc-providers.ts';
import { SignInRefused } from './sign-in-refused.ts';

type Library = typeof import('openid-client');

/** What is known of providers, and how they are asked. */
export interface OidcClients {
  /** What a provider says of itself, at most ten minutes old, or now. Throws `SignInRefused`. */
  discover(provider: OidcProvider, now?: boolean): Promise<ServerMetadata>;
  /** For one sign-in: its keys are asked for again, so that new ones are known at once. Throws `SignInRefused`. */
  configure(provider: OidcProvider): Promise<{ library: Library; config: Configuration }>;
}

const freshMs = 10 * 60_000;
const timeoutSeconds = 15;
/** By how much the clocks of a provider and of this machine may differ. */
const clockSeconds = 60;

interface Known {
  metadata: ServerMetadata;
  at: number;
}

/** @param fetch the guarded way out */
export function createOidcClients(fetch: typeof globalThis.fetch): OidcClients {
  const known = new Map<string, Known>();
  const ask: CustomFetch = (url, options) => fetch(url, options as RequestInit);
  const discover = async (provider: OidcProvider, now = false) => {
    const found = known.get(provider.issuer);
    if (found && !now && Math.abs(Date.now() - found.at) < freshMs) {
      return found.metadata;
    }
    const library = await import('openid-client');
    try {
      const config = await library.discovery(
        new URL(provider.issuer),
        provider.clientId,
        undefined,
        library.None(),
        {
          [library.customFetch]: ask,
          timeout: timeoutSeconds,
          execute: isClear(provider) ? [library.allowInsecureRequests] : [],
        },
      );
      const { supportsPKCE: _, ...metadata } = config.serverMetadata();
      known.set(provider.issuer, { metadata, at: Date.now() });
      return metadata;
    } catch (error) {
      throw new SignInRefused('provider-down', reasonOf(error), { cause: error });
    }
  };
  return {
    discover,
    configure: async (provider) => {
      const metadata = await discover(provider);
      const library = await import('openid-client');
      const config = new library.Configuration(
        structuredClone(metadata),
        provider.clientId,
        { [library.clockTolerance]: clockSeconds },
        authenticationOf(provider, metadata, library),
      );
      config[library.customFetch] = ask;
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
  { token_endpoint_auth_methods_supported: methods }: ServerMetadata,
  { None, ClientSecretBasic, ClientSecretPost }: Library,
) {
  if (clientSecret === undefined) {
    return None();
  }
  // What says nothing takes this one.
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret);
}
