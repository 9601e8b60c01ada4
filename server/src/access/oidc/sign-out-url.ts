import type { OidcClients } from './oidc-client.ts';
import type { OidcProvider } from './oidc-providers.ts';
import type { SessionOrigins } from './session-origins.ts';

interface SigningOut {
  clients: OidcClients;
  origins: SessionOrigins;
  providers: () => OidcProvider[];
}

/** Where a session ends at its provider; undefined where it is to go on there, or nothing is known of how. */
export async function signOutUrl(
  sessionId: string,
  returnTo: () => string,
  { clients, origins, providers }: SigningOut,
): Promise<string | undefined> {
  const origin = await origins.find(sessionId);
  const provider = providers().find(({ name }) => name === origin?.provider);
  if (!origin || !provider?.rpInitiatedLogout) {
    return undefined;
  }
  // Who signs out here is signed out here, whatever is the matter there.
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
