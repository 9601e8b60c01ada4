import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AuthorizationServer } from './authorization-server.ts';
import { listenOn } from './listen-on.ts';

/** Handles a request with a valid token. */
type Serve = (request: IncomingMessage, response: ServerResponse, token: Token) => unknown;

interface Token {
  accountId?: string;
  scope?: string;
}

/** An MCP server that requires a token of an issuer. */
export interface ProtectedServer {
  url: string;
  /** Received tokens. */
  got: (string | undefined)[];
}

/**
 * Returns a 401 with a link to its metadata; with a valid token, returns the token's account.
 *
 * @param metadata overrides its metadata
 * @param serve replaces the response to a valid token
 */
export async function startProtectedServer(
  { issuer, provider }: Pick<AuthorizationServer, 'issuer' | 'provider'>,
  metadata: Record<string, unknown> = {},
  serve: Serve = (_request, response, { accountId }) =>
    response.end(JSON.stringify({ account: accountId })),
): Promise<ProtectedServer> {
  const got: (string | undefined)[] = [];
  let url = '';
  const http = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/meta') {
      const described = {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ['tools'],
        ...metadata,
      };
      response.end(JSON.stringify(described));
      return;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    got.push(token);
    const known = token === undefined ? undefined : await provider.AccessToken.find(token);
    if (known?.aud !== url) {
      const challenge = `Bearer resource_metadata="${new URL('/meta', url).href}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end('{}');
      return;
    }
    await serve(request, response, known);
  });
  url = `http://127.0.0.1:${await listenOn(http)}/mcp`;
  return { url, got };
}
