import { createServer } from 'node:http';
import type { AuthorizationServer } from './authorization-server.ts';
import { listenOn } from './listen-on.ts';

/** A server of tools that wants a token of an issuer. */
export interface ProtectedServer {
  url: string;
  /** Tokens it was sent. */
  got: (string | undefined)[];
}

/**
 * Says in its 401 where its metadata is; with a token that is good for it, whose it is.
 *
 * @param metadata in place of what it would say of itself
 */
export async function startProtectedServer(
  { issuer, provider }: Pick<AuthorizationServer, 'issuer' | 'provider'>,
  metadata: Record<string, unknown> = {},
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
    response.end(JSON.stringify({ account: known.accountId }));
  });
  url = `http://127.0.0.1:${await listenOn(http)}/mcp`;
  return { url, got };
}
