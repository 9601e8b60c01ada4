import { createServer } from 'node:http';
import { promptsApi } from '@knowhow/shared/chat/prompts';
import { problemSchema } from '@knowhow/shared/problem';
import type { McpServer } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { listenOn } from '../../../testing/listen-on.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { startSdkServer } from '../../../testing/sdk-server.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const { groups } = defaultFiles['config/groups.json'];

function offer(server: McpServer): void {
  const argsSchema = z.object({ place: z.string().describe('Where to') });
  const described = { title: 'Plan a trip', description: 'Plans.', argsSchema };
  server.registerPrompt('plan/trip', described, ({ place }) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `Plan a trip to ${place}.` } },
      { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'a://b', text: 'By train.' } },
      },
    ],
  }));
  server.registerPrompt('plain', { description: '' }, () => ({
    messages: [
      { role: 'user', content: { type: 'text', text: 'Hello' } },
      { role: 'assistant', content: { type: 'text', text: 'Hi' } },
    ],
  }));
  server.registerPrompt('empty', {}, () => ({ messages: [] }));
}

interface Stage {
  tools?: string[];
  settings?: Record<string, unknown>;
  files?: Record<string, unknown>;
}

async function stage({ tools = ['travel'], settings = {}, files = {} }: Stage = {}) {
  const { url } = await startSdkServer('modern', offer);
  const permissions = { ...groups.anonymous.permissions, tools };
  const server = await startTestServer({
    files: {
      'config/mcp.json': { mcpServers: { travel: { url, title: 'Travel', ...settings } } },
      'config/groups.json': {
        groups: { ...groups, anonymous: { ...groups.anonymous, permissions } },
      },
      ...files,
    },
  });
  onTestFinished(server.close);
  return { server, visitor: server.visitor() };
}

const listOf = async (visitor: Visitor) =>
  (await parseAnswer(promptsApi.list.response, visitor('/api/prompts'))).items.filter(
    ({ server }) => server !== undefined,
  );
const fill = (visitor: Visitor, id: string, values = {}) =>
  visitor('/api/prompts/fill', { json: { id, values } });

test("a server's prompts are listed with ours, and filled by it", async () => {
  const { visitor } = await stage();
  await waitFor(async () => (await listOf(visitor)).length > 0);
  expect(await listOf(visitor)).toMatchObject([
    {
      ...{ id: 'travel/plan/trip', name: 'Plan a trip', description: 'Plans.', server: 'Travel' },
      variables: [{ name: 'place', label: 'Where to', required: true }],
    },
    { id: 'travel/plain', name: 'plain', variables: [] },
    { id: 'travel/empty' },
  ]);
  const trip = fill(visitor, 'travel/plan/trip', { place: 'Oslo' });
  expect(await (await trip).json()).toEqual({ text: 'Plan a trip to Oslo.\n\nBy train.' });
  const plain = await (await fill(visitor, 'travel/plain')).json();
  expect(plain).toEqual({ text: 'User: Hello\n\nAssistant: Hi' });
});

test('a prompt that the server rejects reports the reason', async () => {
  const { visitor } = await stage();
  const detail = async (id: string) => {
    const answer = await fill(visitor, id);
    return [answer.status, problemSchema.parse(await answer.json()).detail];
  };
  expect(await detail('travel/plan/trip')).toEqual([
    409,
    expect.stringContaining('Travel does not give this prompt.'),
  ]);
  expect(await detail('travel/empty')).toEqual([409, expect.stringContaining('has no text')]);
  expect(await detail('other/plain')).toEqual([404, 'There is no prompt "other/plain".']);
});

test.each<[string, Stage]>([
  ['lack the grant', { tools: [] }],
  ['are in none of its groups', { settings: { groups: ['admins'] } }],
  [
    'have it disabled',
    { files: { 'config/tools.json': { sources: { travel: { enabled: false } } } } },
  ],
])('are hidden from those who %s', async (_, options) => {
  const { server, visitor } = await stage(options);
  const admin = await signInAdmin(server);
  await admin('/api/admin/tool-sources/travel/connect', { method: 'POST' });
  await visitor('/api/prompts');
  expect(await listOf(visitor)).toEqual([]);
  expect((await fill(visitor, 'travel/plain')).status).toBe(404);
});

test('a server that does not respond delays no list', async () => {
  const silent = `http://127.0.0.1:${await listenOn(createServer(() => undefined))}/mcp`;
  const { visitor } = await stage({ settings: { url: silent, limits: { connectSeconds: 1 } } });
  expect(await listOf(visitor)).toEqual([]);
  const answer = await fill(visitor, 'travel/plain');
  expect(await answer.json()).toMatchObject({
    detail: expect.stringContaining('It has not answered within 1 seconds.'),
  });
});
