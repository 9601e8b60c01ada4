import { join } from 'node:path';
import { problemSchema } from '@knowhow/shared/problem';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

async function start(level: string, environment: Record<string, string> = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog(level, { write: (line) => void lines.push(JSON.parse(line)) });
  const files = { 'config/platform.json': { installable: false } };
  const server = await startTestServer({ log, environment, files });
  onTestFinished(server.close);
  return { server, lines };
}

test('writes one line for each request, without query, body and the path of a resource', async () => {
  const { server, lines } = await start('info');
  const admin = await signInAdmin(server);
  const response = await admin('/api/skills/meeting-notes?app=chat&x=');
  expect(response.status).toBe(400);
  await admin('/api/skills/meeting-notes?app=chat');
  await takeTurn(admin, { message: 'A secret question.' });
  await waitFor(() => lines.length >= 4);
  const requests = lines.map(({ method, route, status, level, msg }) => [
    ...[method, route, status, level, msg],
  ]);
  expect(requests).toEqual([
    ['POST', '/api/auth/login', 200, 30, 'request'],
    ['GET', '/api/skills/:name', 400, 30, 'request'],
    ['GET', '/api/skills/:name', 200, 30, 'request'],
    ['POST', '/api/apps/:appId/chat/:conversationId', 200, 30, 'request'],
  ]);
  expect(lines[1]).toMatchObject({
    request: response.headers.get('x-request-id'),
    user: expect.stringMatching(/./),
    ms: expect.any(Number),
    bytes: expect.any(Number),
    code: 'invalid-request',
  });
  expect(Number(lines[2]?.bytes)).toBeGreaterThan(100);
  expect(JSON.stringify(lines)).not.toMatch(/app=chat|meeting-notes|secret/);
});

/** Renames a table until the test has finished, to simulate a damaged database. */
async function hideTable(folder: string, name: string): Promise<void> {
  const database = await openTestDatabase(join(folder, 'data'));
  await database.schema.alterTable(name).renameTo(`hidden_${name}`).execute();
  onTestFinished(async () => {
    await database.schema.alterTable(`hidden_${name}`).renameTo(name).execute();
    await database.destroy();
  });
}

test.each([
  ['/api/shared/:token', `/api/shared/${'s'.repeat(43)}`],
  ['/api/shared/:token', `/api/shared/${'s'.repeat(43)}?code=ssssssss&state=ssssssss`],
  ['/api/shared/:token/files/:id', `/api/shared/${'s'.repeat(43)}/files/ssssssss`],
])('logs the route %s instead of the token when a request fails', async (route, path) => {
  const { server, lines } = await start('trace');
  await hideTable(server.folder, 'shares');
  expect((await server.visitor()(path)).status).toBe(path.includes('?') ? 400 : 500);
  await server.visitor()(path.replace(/\?.*/, ''));
  const failed = lines.find(({ msg }) => msg === 'a request failed');
  expect(failed).toMatchObject({ method: 'GET', route, level: 50 });
  expect(JSON.stringify(lines)).not.toContain('ssssssss');
});

test.each([
  `/api/auth/oidc/none?code=ssssssss&state=ssssssss`,
  `/api/auth/oidc/none/callback?code=ssssssss&state=ssssssss`,
  `/api/invitations/ssssssss?token=ssssssss`,
  `/invitation?token=ssssssss`,
  `/mcp?key=kh_ssssssss&access_token=ssssssss`,
  `/v1/models?api_key=ssssssss`,
  `/api/ssssssss`,
  `/assets/ssssssss`,
])('keeps the secret of %s out of the log and the audit log', async (path) => {
  const { server, lines } = await start('trace');
  const admin = await signInAdmin(server);
  for (const method of ['GET', 'POST']) {
    await (await server.visitor()(path, { method })).arrayBuffer();
  }
  const audit = await (await admin('/api/admin/audit?limit=100')).text();
  expect(JSON.stringify(lines) + audit).not.toContain('ssssssss');
});

test('is alive but not ready when the database is not writable', async () => {
  const { server } = await start('silent');
  await hideTable(server.folder, 'leases');
  const response = await server.visitor()('/api/ready');
  expect(response.status).toBe(503);
  expect(problemSchema.parse(await response.json())).toMatchObject({ code: 'not-ready' });
  expect((await server.visitor()('/api/health')).status).toBe(200);
});

test('logs monitoring and the files of the client at debug only', async () => {
  for (const [level, count] of [
    ['info', 0],
    ['debug', 4],
  ] as const) {
    const { server, lines } = await start(level);
    for (const path of ['/api/health', '/api/ready', '/service-worker.js', '/index.html']) {
      await (await server.visitor()(path, { redirect: 'manual' })).arrayBuffer();
    }
    await server.stop();
    expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(count);
  }
});

test.each([
  ['of a trusted proxy', '1', 'a1B2-c3_d4.e5:f6', true],
  ['of a trusted address', 'loopback', 'Root=1-67891233-abcdef012345678912345678', true],
  ['of anyone else', 'false', 'a1b2', false],
  ['of an untrusted address', '192.0.2.1', 'a1b2', false],
  ['that is too long', '1', 'a'.repeat(129), false],
  ['with other characters', '1', 'a b"{}', false],
  ['that is empty', '1', '', false],
])('keeps or replaces the request ID %s', async (_, TRUST_PROXY, id, isKept) => {
  const { server, lines } = await start('info', { TRUST_PROXY });
  const response = await server.visitor()('/api/apps', { headers: { 'X-Request-Id': id } });
  const answered = response.headers.get('x-request-id');
  expect(answered === id).toBe(isKept);
  await waitFor(() => lines.length > 0);
  expect(lines[0]?.request).toBe(answered);
});

test('each log level adds to the previous one, and none contains text of a conversation', async () => {
  const messages = async (level: string) => {
    const { server, lines } = await start(level);
    await takeTurn(server.visitor(), { message: 'A secret question.' });
    await server.stop();
    expect(JSON.stringify(lines)).not.toMatch(/secret question|Hello/);
    return new Set(lines.map(({ msg }) => msg));
  };
  expect([...(await messages('info'))]).toEqual(['request']);
  const debug = await messages('debug');
  expect(debug).toContain('model request');
  expect(debug).toContain('turn ended');
  expect(await messages('trace')).toContain('query');
});
