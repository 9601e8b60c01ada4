import type { OidcClients } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';
import type { SessionOrigins } from './session-origins.ts';

interface Dependencies {
  clients: OidcClients;
  origins: SessionOrigins;
  providers: () => OidcProvider[];
}

/**
 * The logout URL of a session's provider; undefined if logout there is disabled or not supported.
 */
export async function signOutUrl(
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
