import { problem } from '@knowhow/shared/problem';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { isSecure, type OAuthServer } from './oauth-server.ts';
import { joinScopes } from './scopes.ts';

/** Verified authorization metadata of a tool server. */
export interface Discovered {
  issuer: string;
  metadata: AuthorizationServerMetadata;
  /** Resource indicator (RFC 8707): the audience of the tokens, as the server names itself. */
  resource: string;
  scope: string | undefined;
}

/**
 * Discovers a tool server's issuer and its metadata. Throws a problem for untrusted metadata: a
 * different issuer, http, no PKCE, or a foreign resource.
 */
export async function discover(
  server: OAuthServer,
  fetch: typeof globalThis.fetch,
): Promise<Discovered> {
  const { discoverOAuthServerInfo, checkResourceAllowed, resourceUrlFromServerUrl } = await import(
    '@modelcontextprotocol/client'
  );
  const challenge = await askForChallenge(server, fetch);
  const found = await discoverOAuthServerInfo(server.url, {
    ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    fetchFn: fetch,
  });
  const { authorizationServerMetadata: metadata, resourceMetadata } = found;
  if (!metadata) {
    throw problem('conflict', `${server.title} does not say how to sign in to it.`);
  }
  checkMetadata(server, metadata);
  const own = resourceUrlFromServerUrl(server.url);
  const resource = resourceMetadata?.resource ?? own.href;
  if (!checkResourceAllowed({ requestedResource: own, configuredResource: resource })) {
    throw problem('conflict', `${server.title} asks for a sign-in to another server: ${resource}.`);
  }
  const asked = server.scope ?? challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ');
  return { issuer: metadata.issuer, metadata, resource, scope: withRefresh(asked, metadata) };
}

const initializeRequest = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'knowhow', version: '1' },
  },
};

/** Some servers accept `initialize` anonymously and require a token only for later requests. */
const listRequest = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

/** The challenge in the response to a request without a token. */
async function askForChallenge({ url }: OAuthServer, fetch: typeof globalThis.fetch) {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  // Some servers only answer POST, or require a token only for POST.
  const ask = async (request: object) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(request),
    });
    await answer.body?.cancel();
    return answer;
  };
  const initialized = await ask(initializeRequest);
  const answer = initialized.ok ? await ask(listRequest) : initialized;
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {};
}

function checkMetadata(server: OAuthServer, metadata: AuthorizationServerMetadata): void {
  const { issuer, authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  const addresses = [
    issuer,
    authorization_endpoint,
    token_endpoint,
    registration_endpoint ?? issuer,
  ];
  const unsafe = addresses.find((address) => !isSecure(address));
  if (unsafe !== undefined) {
    throw problem('conflict', `${server.title} signs in at ${unsafe}, which is not https.`);
  }
  // An issuer without PKCE metadata is accepted only if an admin has configured a client for it.
  const methods = metadata.code_challenge_methods_supported ?? (server.client ? ['S256'] : []);
  if (!methods.includes('S256')) {
    throw problem(
      'conflict',
      `${new URL(issuer).host}, where ${server.title} signs in, does not offer PKCE with S256.`,
    );
  }
}

/** Adds the scope for refresh tokens if the issuer supports it. */
function withRefresh(
  scope: string | undefined,
  { scopes_supported }: AuthorizationServerMetadata,
): string | undefined {
  const offline = 'offline_access';
  return joinScopes(scope, scopes_supported?.includes(offline) ? offline : undefined);
}
