import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { resourcesApi } from '@knowhow/shared/chat/resources';
import { appsApi } from '@knowhow/shared/config/apps';
import { problemSchema } from '@knowhow/shared/problem';
import type { McpServer } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { startSdkServer } from '../../../testing/sdk-server.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type Visitor, withAllTools } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const plan = 'office:///plans/spring%20plan.md';

function offer(server: McpServer): void {
  const described = { title: 'The plan for spring', description: 'Who does what.' };
  server.registerResource('plan', plan, described, () => ({
    contents: [
      { uri: plan, mimeType: 'text/markdown', text: '# Spring' },
      { uri: plan, text: 'Ada sows.' },
    ],
  }));
  server.registerResource('large', 'office:///large.txt', {}, () => ({
    contents: [{ uri: 'office:///large.txt', blob: Buffer.from('\0\x01\x02').toString('base64') }],
  }));
}

async function stage(settings: { files?: Record<string, unknown>; server?: object } = {}) {
  const { url } = await startSdkServer('modern', offer);
  const model = scriptedModel(says('Well.'));
  const server = await startTestServer({
    model: model.ask,
    files: {
      ...withAllTools,
      'config/mcp.json': { mcpServers: { office: { url, title: 'Office', ...settings.server } } },
      ...settings.files,
    },
  });
  onTestFinished(server.close);
  return { server, model, visitor: server.visitor() };
}

const listOf = async (visitor: Visitor) =>
  (await parseAnswer(resourcesApi.list.response, visitor('/api/apps/chat/resources'))).items;
const isOffered = async (visitor: Visitor) =>
  (await parseAnswer(appsApi.get.response, visitor('/api/apps/chat'))).offersResources === true;
const attach = (visitor: Visitor, uri: string, server = 'office') =>
  visitor('/api/apps/chat/resources', { json: { server, uri } });

test("a server's resource is chosen, read, and sent like a file, with its origin", async () => {
  const { server, model, visitor } = await stage();
  await waitFor(() => isOffered(visitor));
  expect(await listOf(visitor)).toMatchObject([
    {
      ...{ id: 'office', title: 'Office' },
      resources: [
        { uri: plan, title: 'The plan for spring', description: 'Who does what.' },
        { uri: 'office:///large.txt', title: 'large' },
      ],
    },
  ]);
  const answer = await attach(visitor, plan);
  expect(answer.status).toBe(201);
  const file = attachmentSchema.parse(await answer.json());
  const origin = { server: 'Office', uri: plan };
  expect(file).toMatchObject({ name: 'spring plan.md', kind: 'text', length: 19, origin });
  const { conversationId } = await takeTurn(visitor, { message: 'Well?', attachments: [file.id] });
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('# Spring\\n\\nAda sows.');
  const { messages } = await readConversation(visitor, conversationId);
  expect(messages[0]).toMatchObject({ attachments: [{ name: 'spring plan.md', origin }] });
  const admin = await signInAdmin(server);
  const { items } = (await (await admin('/api/admin/audit?kind=tool')).json()) as {
    items: object[];
  };
  expect(items[0]).toMatchObject({ action: 'called', target: 'office/read_resource' });
});

test('rejects unavailable resources and unsupported files with the reason', async () => {
  const { visitor } = await stage();
  await waitFor(() => isOffered(visitor));
  const detail = async (uri: string, server?: string) => {
    const answer = await attach(visitor, uri, server);
    return [answer.status, problemSchema.parse(await answer.json()).detail];
  };
  expect(await detail('office:///none')).toEqual([
    409,
    expect.stringContaining('Office does not give this resource.'),
  ]);
  expect(await detail('office:///large.txt')).toEqual([
    415,
    expect.stringContaining('Files of this kind are not read.'),
  ]);
  expect(await detail(plan, 'other')).toEqual([404, expect.stringContaining('"other"')]);
});

test.each([
  [
    'the app does not offer its tools',
    { files: { 'apps/chat.json': { id: 'chat', name: 'Chat' } } },
  ],
  ['it is for another group', { server: { groups: ['admins'] } }],
  [
    'an administrator has disabled it',
    { files: { 'config/tools.json': { sources: { office: { enabled: false } } } } },
  ],
  [
    'an administrator has disabled reading',
    { files: { 'config/tools.json': { tools: { 'office/read_resource': { enabled: false } } } } },
  ],
])('offers no resources where %s', async (_, settings) => {
  const { server, visitor } = await stage(settings);
  const admin = await signInAdmin(server);
  await admin('/api/admin/tool-sources/office/connect', { method: 'POST' });
  expect(await isOffered(visitor)).toBe(false);
  expect(await listOf(visitor)).toEqual([]);
  expect((await attach(visitor, plan)).status).toBe(404);
});
