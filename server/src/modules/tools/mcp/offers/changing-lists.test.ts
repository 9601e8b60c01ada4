import type { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openTestHost } from '../../../../testing/mcp-host.ts';
import { startSdkServer } from '../../../../testing/sdk-server.ts';
import { waitFor } from '../../../../testing/wait-for.ts';

const eras = ['modern', 'legacy'] as const;

const addTool = (name: string) => (server: McpServer) => {
  server.registerTool(name, { description: name, inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text', text: name }],
  }));
};
const addPrompt = (name: string) => (server: McpServer) => {
  server.registerPrompt(name, { description: name }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: name } }],
  }));
};

test.each(eras)('picks up changed tools over HTTP without a call (%s)', async (era) => {
  const server = await startSdkServer(era, addTool('first'));
  const host = await openTestHost({ mcpServers: { own: { url: server.url } } });
  await host.tools('own');
  await waitFor(server.isHeard);
  server.offer(addTool('second'));
  const all = async () => (await host.source('own').listAll()).map(({ name }) => name);
  await waitFor(async () => (await all()).includes('second'));
  expect((await host.known('own')).map(({ name }) => name)).toEqual(['first']);
});

test.each(eras)('picks up changed prompts over HTTP (%s)', async (era) => {
  const server = await startSdkServer(era, (mcp) => {
    addTool('tool')(mcp);
    addPrompt('first')(mcp);
  });
  const host = await openTestHost({ mcpServers: { own: { url: server.url } } });
  const known = () => host.prompts[0]?.list('user').map(({ name }) => name);
  await host.tools('own');
  // Prompts are prefetched on connecting.
  await waitFor(() => known()?.join() === 'first');
  await waitFor(server.isHeard);
  server.offer(addPrompt('second'));
  await waitFor(() => known()?.join() === 'first,second');
});
