import { problem } from '@knowhow/shared/problem';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { isSecure, type OAuthServer } from './oauth-server.ts';
import { joinScopes } from './scopes.ts';

/** What a server says of who signs people in to it, checked. */
export interface Discovered {
  issuer: string;
  metadata: AuthorizationServerMetadata;
  /** What the tokens are to be good for, as the server names itself. */
  resource: string;
  scope: string | undefined;
}

/**
 * Asks a server of tools who signs people in, and that issuer how. Throws a problem for what cannot be
 * trusted: another issuer than was asked for, clear text, no PKCE, a resource that is another server.
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

const greeting = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'knowhow', version: '1' },
  },
};

/** Some greet anybody, and want a token for what follows. */
const listing = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

/** The answer to a request without a token: where the server says more of itself. */
async function askForChallenge({ url }: OAuthServer, fetch: typeof globalThis.fetch) {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  // Some answer nothing but POST, or ask only who posts for a token.
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
  const greeted = await ask(greeting);
  const answer = greeted.ok ? await ask(listing) : greeted;
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
  // What says nothing of PKCE is taken at its word, unless an admin vouches for it with a client of their own.
  const methods = metadata.code_challenge_methods_supported ?? (server.client ? ['S256'] : []);
  if (!methods.includes('S256')) {
    throw problem(
      'conflict',
      `${new URL(issuer).host}, where ${server.title} signs in, does not offer PKCE with S256.`,
    );
  }
}

/** With the right to stay signed in, where the issuer has a name for it. */
function withRefresh(
  scope: string | undefined,
  { scopes_supported }: AuthorizationServerMetadata,
): string | undefined {
  const offline = 'offline_access';
  return joinScopes(scope, scopes_supported?.includes(offline) ? offline : undefined);
}
