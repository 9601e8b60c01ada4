import { problem } from '@knowhow/shared/problem';
import type { Cluster } from '../../../../platform/cluster/cluster.ts';
import type { Discovered } from './oauth-discovery.ts';
import type { OAuthServer } from './oauth-server.ts';
import type { OAuthClient, OAuthStore } from './oauth-store.ts';
import { coversScopes } from './scopes.ts';

interface Registering {
  store: OAuthStore;
  fetch: typeof fetch;
  withLock: Cluster['withLock'];
}

/** How we identify ourselves to an issuer. */
export interface ClientIdentity {
  redirectUrl: string;
  /** Client ID metadata document with the same content; https only. */
  metadataUrl: string | undefined;
}

/** Our client metadata, for dynamic registration and for the document at `metadataUrl`. */
export function clientMetadata({ redirectUrl }: Pick<ClientIdentity, 'redirectUrl'>) {
  return {
    client_name: 'Knowhow',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/**
 * Our client at an issuer: preconfigured by an admin, a client ID metadata document if the issuer
 * supports it, or a dynamic registration. Throws a problem that asks the admin to register one if
 * none is possible.
 */
export async function getOAuthClient(
  server: OAuthServer,
  discovered: Discovered,
  introduction: ClientIdentity,
  { store, fetch, withLock }: Registering,
): Promise<OAuthClient> {
  const { issuer, metadata } = discovered;
  const { redirectUrl, metadataUrl } = introduction;
  if (server.client) {
    const { id, secret } = server.client;
    return { client_id: id, ...(secret !== undefined && { client_secret: secret }) };
  }
  if (metadataUrl !== undefined && metadata.client_id_metadata_document_supported === true) {
    return { client_id: metadataUrl, token_endpoint_auth_method: 'none' };
  }
  return withLock(`mcp client ${issuer}`, async () => {
    const known = await store.client(issuer, redirectUrl);
    if (known && !hasExpired(known) && mayAskFor(known, discovered.scope)) {
      return known;
    }
    if (metadata.registration_endpoint === undefined) {
      throw problem('conflict', askAdmin(server, issuer, redirectUrl));
    }
    const registered = await register(server, discovered, { redirectUrl, fetch });
    await store.keepClient(issuer, redirectUrl, registered);
    return registered;
  });
}

async function register(
  server: OAuthServer,
  { issuer, metadata, scope }: Discovered,
  { redirectUrl, fetch }: { redirectUrl: string; fetch: typeof globalThis.fetch },
): Promise<OAuthClient> {
  const { registerClient, resolveClientMetadata, RegistrationRejectedError } = await import(
    '@modelcontextprotocol/client'
  );
  const introduced = resolveClientMetadata({
    clientMetadata: clientMetadata({ redirectUrl }),
    redirectUrl,
  });
  const options = { metadata, clientMetadata: introduced, fetchFn: fetch };
  try {
    const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } =
      await registerClient(issuer, scope === undefined ? options : { ...options, scope });
    return {
      client_id,
      ...(client_secret !== undefined && { client_secret }),
      ...(client_secret_expires_at !== undefined && { client_secret_expires_at }),
      ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
      ...(scope !== undefined && { scope }),
    };
  } catch (error) {
    if (error instanceof RegistrationRejectedError) {
      throw problem('conflict', askAdmin(server, issuer, redirectUrl), { cause: error });
    }
    throw error;
  }
}

/** A minute early, so that it remains valid for the request. */
function hasExpired({ client_secret_expires_at: seconds = 0 }: OAuthClient): boolean {
  return seconds > 0 && seconds * 1000 < Date.now() + 60_000;
}

/** Some issuers limit a client to the scopes it registered. */
function mayAskFor({ scope }: OAuthClient, wanted: string | undefined): boolean {
  return scope === undefined || coversScopes(scope, wanted);
}

function askAdmin({ id, title }: OAuthServer, issuer: string, redirectUrl: string): string {
  const { host } = new URL(issuer);
  return `${host} does not support dynamic client registration. For ${title}, an administrator registers Knowhow there, with the redirect address ${redirectUrl}, and writes "auth": {"clientId": "…"} for the server "${id}".`;
}
