import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessFiles } from '../../../testing/access-stage.ts';
import { getSessionToken } from '../../../testing/mcp-client.ts';
import { type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';

let server: TestServer;
let open: TestServer;
let ann: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ files: accessFiles });
  open = await startTestServer();
  ann = await signInNew(server, await signInAdmin(server), { username: 'ann', groups: ['staff'] });
});
afterAll(() => Promise.all([server.close(), open.close()]));

const json = { 'Content-Type': 'application/json' };
const longAddress = `skill://${'a/'.repeat(1_500_000)}`;
const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

interface Sent {
  body?: string;
  headers?: Record<string, string>;
  method?: string;
  to?: TestServer;
}

function send({ body = JSON.stringify(message), headers, method = 'POST', to = server }: Sent) {
  const authorization = `Bearer ${getSessionToken(ann)}`;
  return fetch(`${to.url}/mcp`, {
    method,
    headers: to === server ? { ...json, authorization, ...headers } : { ...json, ...headers },
    ...(method === 'GET' ? {} : { body }),
  });
}

async function problemOf(sent: Sent): Promise<unknown[]> {
  const response = await send(sent);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

test.each([
  ['a body of 10 MB', 'x'.repeat(10_000_000), [413, 'too-large']],
  ['a body of 10,000 levels', '['.repeat(10_000), [413, 'too-large']],
  ['a batch of 100,000', JSON.stringify(new Array(100_000).fill(message)), [413, 'too-large']],
  ['a batch of 21', JSON.stringify(new Array(21).fill(message)), [400, 'invalid-request']],
  ['an empty batch', '[]', [400, 'invalid-request']],
  ['a truncated message', '{"jsonrpc":', [400, 'bad-request']],
  ['no message', '"hello"', [400, 'bad-request']],
  ['a message of another protocol', '{"method":"tools/list"}', [400, 'invalid-request']],
  [
    'a URI of 3 MB',
    JSON.stringify({ ...message, method: 'resources/read', params: { uri: longAddress } }),
    [400, 'invalid-request'],
  ],
  [
    'one in a batch',
    JSON.stringify([{ ...message, method: 'skills/get', params: { uri: longAddress } }]),
    [400, 'invalid-request'],
  ],
  ['nothing', '', [400, 'invalid-request']],
])('%s gets a problem', async (_, body, expected) => {
  expect(await problemOf({ body })).toEqual(expected);
});

test('rejects a form, a GET and a foreign page, even with a token', async () => {
  const form = { 'Content-Type': 'text/plain' };
  expect(await problemOf({ headers: form })).toEqual([415, 'unsupported-type']);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    expect(await problemOf({ method })).toEqual([405, 'wrong-method']);
  }
  const foreign = { Origin: 'https://evil.example.com' };
  expect(await problemOf({ headers: foreign })).toEqual([403, 'foreign-origin']);
  expect(await problemOf({ headers: foreign, method: 'GET' })).toEqual([403, 'foreign-origin']);
  expect((await send({ headers: { Origin: server.url } })).status).toBe(200);
});

test('an unknown token does not fall back to anonymous, and a guest gets no cookie', async () => {
  const headers = { authorization: 'Bearer expired' };
  const refused = await send({ to: open, headers });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const letIn = await send({ to: open });
  expect([letIn.status, letIn.headers.get('set-cookie')]).toEqual([200, null]);
  expect(letIn.headers.get('cache-control')).toBe('no-store');
});

test('MCP requests count towards the rate limit', async () => {
  const few = { 'config/platform.json': { rateLimit: { requests: 3, turns: 0 } } };
  const limited = await startTestServer({ files: few });
  const statuses = [];
  for (let count = 0; count < 4; count += 1) {
    statuses.push((await send({ to: limited })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  await limited.close();
});

test('missing resources are reported as protocol errors', async () => {
  const answers = [
    { method: 'nothing/there', params: {} },
    { method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
    { method: 'resources/read', params: { uri: 'skill://meeting-notes/../../../etc/passwd' } },
    { method: 'resources/read', params: { uri: 'skill://meeting-notes/references/..%2f..%2fx' } },
    { method: 'resources/read', params: { uri: 'skill://meeting-notes' } },
    { method: 'resources/read', params: { uri: `skill://${'a/'.repeat(10_000)}` } },
    { method: 'skills/list', params: { cursor: 'mine' } },
    { method: 'tools/list', params: { cursor: '-1' } },
    { method: 'tools/call', params: { name: 'skill_\u0000' } },
  ].map(async (call) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, ...call });
    const text = await (await send({ body })).text();
    return Number(/"code":(-\d+)/.exec(text)?.[1]);
  });
  const [unknown, ...others] = await Promise.all(answers);
  expect(unknown).toBe(-32601);
  expect(others).toEqual(others.map(() => -32602));
});
