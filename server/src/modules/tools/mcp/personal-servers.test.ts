import { createServer, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../../../testing/listen-on.ts';
import { openTestHost } from '../../../testing/mcp-host.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const tokens: Record<string, string> = { user: 'token-of-user', grace: 'token-of-grace' };

/** A server that requires a token and has a tool that returns the token's user. */
async function guardedServer(): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response) => {
    const user = Object.keys(tokens).find(
      (name) => request.headers.authorization === `Bearer ${tokens[name]}`,
    );
    const chunks = await request.toArray();
    if (user === undefined || request.method !== 'POST') {
      response.writeHead(user === undefined ? 401 : 405).end();
      return;
    }
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    const own = { name: `of-${user}`, inputSchema: { type: 'object' } };
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }, own] },
      'tools/call': { content: [{ type: 'text', text: user }] },
    };
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const error = { code: -32601, message: 'Method not found' };
    const result = results[method];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
  });
  return `http://127.0.0.1:${await listenOn(server)}/mcp`;
}

test('calls a personal server with each user’s own sign-in', async () => {
  const server = { url: await guardedServer(), auth: { type: 'oauth' } };
  const host = await openTestHost(
    { mcpServers: { mail: server } },
    { authFor: (_, user) => ({ token: async () => tokens[user] }) },
  );
  expect(host.state('mail').status).toBe('sign-in');
  const call = (user: string) => host.call('mail', 'whoami', {}, { user });
  const both = await Promise.all([call('user'), call('grace')]);
  expect(both.map(({ content }) => content)).toEqual(['user', 'grace']);
  const stranger = await call('stranger');
  expect(stranger).toMatchObject({ isError: true, content: expect.stringContaining('sign in') });
  expect(host.state('mail').status).toBe('ready');
  tokens.stranger = 'token-of-stranger';
  onTestFinished(() => {
    delete tokens.stranger;
  });
  expect(await call('stranger')).toMatchObject({ content: 'stranger' });
  // Tools that only one user sees are added as new, and remove nothing from the others.
  const all = await host.source('mail').listAll();
  expect(all.map(({ name, changed }) => [name, changed])).toEqual([
    ['whoami', undefined],
    ['of-user', undefined],
    ['of-grace', true],
    ['of-stranger', true],
  ]);
});

test('tells an admin that a server requires a token', async () => {
  const url = await guardedServer();
  const host = await openTestHost({ mcpServers: { mail: { url } } });
  await waitFor(() => host.state('mail').status === 'sign-in');
  expect(host.state('mail').message).toContain('"auth"');
});
