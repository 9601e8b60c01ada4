import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { onTestFinished } from 'vitest';
import type { TestServer } from './start-test-server.ts';

/** `auto` speaks the newest revision, `legacy` those with a handshake. */
export const eras = ['auto', 'legacy'] as const;

/** An MCP client connected to a server's `/mcp` endpoint. */
export async function connectMcp(
  { url }: Pick<TestServer, 'url'>,
  options: { token?: string | undefined; era?: (typeof eras)[number] } = {},
): Promise<{ client: Client; skills: SkillsClient }> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: options.era ?? 'auto' } },
  );
  const { token } = options;
  const headers = new Headers(token === undefined ? [] : [['Authorization', `Bearer ${token}`]]);
  const address = new URL(`${url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return { client, skills: new SkillsClient(client) };
}

/** The token of a session cookie. */
export function getSessionToken({ cookie }: { cookie: string }): string {
  return cookie.slice(cookie.indexOf('=') + 1);
}
