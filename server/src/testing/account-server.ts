import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AuthorizationServer } from './authorization-server.ts';
import { type ProtectedServer, startProtectedServer } from './protected-server.ts';

/** A server of tools, made with the library, that knows whose token it got: `whoami` for all, `write` for more. */
export function startAccountServer(issuer: AuthorizationServer): Promise<ProtectedServer> {
  return startProtectedServer(issuer, {}, async (request, response, { accountId, scope = '' }) => {
    const body = request.method === 'POST' ? await json(request) : undefined;
    const called = z.object({ params: z.object({ name: z.string() }) }).safeParse(body);
    if (called.data?.params.name === 'write' && !scope.split(' ').includes('tools:write')) {
      const challenge = 'Bearer error="insufficient_scope", scope="tools:write"';
      response.writeHead(403, { 'www-authenticate': challenge }).end('{}');
      return;
    }
    const handler = createMcpHandler(() => serverOf(accountId ?? 'nobody'));
    await send(await handler.fetch(webRequest(request), { parsedBody: body }), response);
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

function webRequest({ method = 'GET', headers, url = '/' }: IncomingMessage): Request {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Request(new URL(url, 'http://127.0.0.1'), { method, headers: pairs });
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) {
    response.write(chunk);
  }
  response.end();
}
