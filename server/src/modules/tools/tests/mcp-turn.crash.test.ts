import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { toolsApi } from '@knowhow/shared/config/tools';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { ownServer, realServer } from '../../../testing/mcp-host.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { startScriptedHttp } from '../../../testing/scripted-http.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  modelWith,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { startOf, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
afterEach(() => server.close());

const permissions = { apps: ['*'], models: ['*'], skills: ['*'] };
const everything = { ...realServer('everything', 'stdio'), title: 'Everything', consent: 'never' };

interface Setting {
  servers: Record<string, unknown>;
  script: Parameters<typeof scriptedModel>;
  grants?: string[];
}

async function start({ servers, script, grants = ['*'] }: Setting) {
  const model = scriptedModel(...script);
  const anonymous = { id: 'anonymous', name: 'Anonymous' };
  const admins = { id: 'admins', name: 'Admins' };
  server = await startTestServer({
    model: model.ask,
    files: {
      // Enough for all tools of a server.
      ...modelWith({ contextWindow: 1_000_000 }),
      'config/platform.json': { rateLimit: { requests: 0, turns: 0 } },
      'config/mcp.json': { mcpServers: servers },
      'config/groups.json': {
        groups: {
          anonymous: { ...anonymous, permissions: { ...permissions, tools: grants } },
          admins: {
            ...admins,
            permissions: { ...permissions, tools: ['*'], adminAccess: true },
          },
        },
      },
      'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'], tools: ['*'] },
    },
  });
  const admin = await signInAdmin(server);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  return { model, admin, visitor };
}

/** A tool source as an admin sees it. */
async function sourceOf(admin: Visitor, id: string) {
  const { sources } = await parseAnswer(adminToolsApi.list.response, admin('/api/admin/tools'));
  return sources.find((source) => source.id === id);
}

const hasTools = (admin: Visitor, id: string) =>
  waitFor(async () => ((await sourceOf(admin, id))?.tools.length ?? 0) > 0);

test("a real server's tool is called in a turn, and shown with its title and server", async () => {
  const script = [calls(['everything__get-sum', { a: 2, b: 3 }]), says('It is five.')];
  const { model, admin, visitor } = await start({ servers: { everything }, script });
  await hasTools(admin, 'everything');
  const turn = await takeTurn(visitor, { message: 'What is two and three?' });
  expect(turn.text).toBe('It is five.');
  expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('everything__get-sum');
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('The sum of 2 and 3 is 5');
  expect(turn.events).toContainEqual({
    type: 'tool.call.start',
    ...{ id: 'call-0', round: 0, name: 'everything__get-sum', input: { a: 2, b: 3 } },
    ...{ title: 'Get Sum Tool', source: 'Everything' },
  });
  const path = `/api/messages/${startOf(turn).messageId}/calls/0`;
  expect(await parseAnswer(toolsApi.result.response, visitor(path))).toMatchObject({
    isError: false,
  });
});

test('invalid arguments are rejected before they reach the server', async () => {
  const script = [calls(['everything__get-sum', { a: 'two' }]), says('.')];
  const { model, admin, visitor } = await start({ servers: { everything }, script });
  await hasTools(admin, 'everything');
  await takeTurn(visitor, { message: 'Add' });
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('The arguments do not fit.');
});

test('an untrusted server requires consent, and its question is put to the user', async () => {
  const { consent: _, ...asking } = everything;
  const script = [calls(['everything__trigger-elicitation-request', {}]), says('Thanks.')];
  const { model, admin, visitor } = await start({ servers: { everything: asking }, script });
  await hasTools(admin, 'everything');
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Ask me', conversationId });
  const conversation = `/api/conversations/${conversationId}`;
  const whenAsked = (path: string, json: unknown) =>
    waitFor(async () => (await visitor(conversation + path, { json })).ok);
  await whenAsked('/consents/call-0', { decision: 'once' });
  const answer = { action: 'accept', values: { name: 'Ada' } };
  await whenAsked(`/questions/${encodeURIComponent('call-0 1')}`, answer);
  const { events } = await turn;
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'tool.consent', source: 'Everything', isDestructive: true }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'tool.question', source: 'Everything' }),
  );
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('Ada');
});

test.each([
  ['no group grants the server', {}, []],
  ['only another of its tools is granted', {}, ['everything/echo']],
  ['the server is for other groups', { groups: ['admins'] }, ['*']],
])('where %s, its tool is treated as missing', async (_name, more, grants) => {
  const script = [calls(['everything__get-sum', { a: 1, b: 1 }]), says('.')];
  const servers = { everything: { ...everything, ...more } };
  const { model, admin, visitor } = await start({ servers, script, grants });
  await hasTools(admin, 'everything');
  await takeTurn(visitor, { message: 'Add' });
  expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('everything__get-sum');
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('There is no tool');
});

test('a server in the local network is reachable, because the file names it', async () => {
  const { command, args } = ownServer('modern', 'http');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${port.toString().trim()}/mcp`;
  const servers = { modern: { url, consent: 'never' } };
  const script = [calls(['modern__add', { a: 2, b: 3 }]), says('Five.')];
  const { model, admin, visitor } = await start({ servers, script });
  await hasTools(admin, 'modern');
  await takeTurn(visitor, { message: 'Add' });
  expect(model.requests[1]?.messages.at(-1)?.content).toBe('5');
});

test('redirects of a server are not followed, wherever they lead (SSRF)', async () => {
  const other = await startScriptedHttp();
  onTestFinished(other.close);
  const sending = await startScriptedHttp(() => ({
    status: 307,
    headers: { location: `${other.origin}/mcp` },
  }));
  onTestFinished(sending.close);
  const headers = { 'X-Api-Key': 'secret' };
  const servers = { sending: { url: `${sending.origin}/mcp`, headers } };
  const { admin } = await start({ servers, script: [says('.')] });
  await waitFor(async () => (await sourceOf(admin, 'sending'))?.status === 'failed');
  expect((await sourceOf(admin, 'sending'))?.message).toContain('another address');
  expect(sending.requests[0]?.headers['x-api-key']).toBe('secret');
  expect(other.requests).toEqual([]);
});

test('an admin sees why a server cannot be used, and reconnects it', async () => {
  const odd = ownServer('hostile', 'dies-at-start');
  const { admin, visitor } = await start({ servers: { odd }, script: [says('Hello.')] });
  await waitFor(async () => (await sourceOf(admin, 'odd'))?.status === 'failed');
  const first = await sourceOf(admin, 'odd');
  expect(first?.message).toContain('The token is missing.');
  // The turn continues without it.
  expect((await takeTurn(visitor, { message: 'Hello' })).text).toBe('Hello.');
  const path = '/api/admin/tool-sources/odd/connect';
  const again = await parseAnswer(adminToolsApi.connect.response, admin(path, { method: 'POST' }));
  expect(again).toMatchObject({ id: 'odd', status: 'failed' });
  expect(again.since).not.toBe(first?.since);
});
