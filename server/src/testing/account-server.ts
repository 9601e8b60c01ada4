import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AuthorizationServer } from './authorization-server.ts';
import { type ProtectedServer, startProtectedServer } from './protected-server.ts';
import { sendWeb, webRequest } from './web-request.ts';

/**
 * An MCP server with OAuth whose tools return the token's account: `whoami` for everyone, `write`
 * with an additional scope.
 */
export function startAccountServer(issuer: AuthorizationServer): Promise<ProtectedServer> {
  return startProtectedServer(issuer, {}, async (request, response, { accountId, scope = '' }) => {
    const asked = webRequest(request);
    const body: unknown = asked.method === 'POST' ? await asked.json() : undefined;
    const called = z.object({ params: z.object({ name: z.string() }) }).safeParse(body);
    if (called.data?.params.name === 'write' && !scope.split(' ').includes('tools:write')) {
      const challenge = 'Bearer error="insufficient_scope", scope="tools:write"';
      response.writeHead(403, { 'www-authenticate': challenge }).end('{}');
      return;
    }
    const handler = createMcpHandler(() => serverOf(accountId ?? 'nobody'));
    await sendWeb(await handler.fetch(asked, { parsedBody: body }), response);
  });
}

function serverOf(account: string): McpServer {
  const server = new McpServer({ name: 'accounts', version: '1.0.0' });
  for (const name of ['whoami', 'write']) {
    const inputSchema = z.object({});
    server.registerTool(name, { description: `Does ${name}.`, inputSchema }, () => ({
      content: [{ type: 'text', text: `${name} for ${account}` }],
    }));
  }
  return server;
}
