import { serviceKeysApi } from '@knowhow/shared/access/service-keys';
import { afterEach, expect, test } from 'vitest';
import { programWith } from '../../../testing/make-key.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { rightsFiles, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';

let server: TestServer;
afterEach(() => server.close());

const address = '/api/admin/keys';
const complete = { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] };
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

test('a service key may do what its groups may, on every endpoint for API clients', async () => {
  server = await startTestServer({ files: rightsFiles });
  const admin = await signInAdmin(server);
  const json = { name: 'Intranet', scopes: ['mcp', 'chat'], groups: ['staff', 'admins'] };
  const made = await parseAnswer(serviceKeysApi.create.response, admin(address, { json }));
  expect(made.details).toMatchObject({ ...json, scopes: ['chat', 'mcp'], createdBy: 'Admin' });
  const program = programWith(server, made.key);
  expect(await (await program('/api/auth/me')).json()).toMatchObject({
    ...{ id: `key:${made.details.id}`, name: 'Intranet', anonymous: false, isAdmin: false },
  });
  const turn = await takeTurn(program, { message: 'Hello' });
  expect(turn.text).toBe('Hello.');
  expect((await readConversation(program, turn.conversationId)).messages).toHaveLength(2);
  expect((await admin(`/api/conversations/${turn.conversationId}`)).status).toBe(404);
  expect((await program('/v1/chat/completions', { json: complete })).status).toBe(200);
  expect((await program('/mcp', { json: listTools })).status).toBe(200);
  for (const [path, status] of [
    ['/api/skills', 403],
    ['/api/admin/users', 403],
    ['/api/account/keys', 403],
    ['/api/account/sessions', 403],
  ] as const) {
    expect((await program(path)).status).toBe(status);
  }
  const list = await (await admin(address)).text();
  expect(list).toContain('lastUsedAt');
  expect(list).not.toContain(made.key);

  const gone = await admin(`${address}/${made.details.id}`, { method: 'DELETE' });
  expect(gone.status).toBe(204);
  expect((await takeTurn(program, { message: 'Hello' })).status).toBe(401);
  const audit = await (await admin('/api/admin/audit?kind=key')).json();
  expect(audit).toMatchObject({
    items: [
      { action: 'revoked', target: 'Intranet', before: { conversations: { deleted: 1 } } },
      { action: 'created', target: 'Intranet' },
    ],
  });
  expect(JSON.stringify(audit)).not.toContain(made.key);
});

test('a service key needs at least one group, and only existing ones', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  for (const groups of [[], ['unknown']]) {
    const json = { name: 'Intranet', scopes: ['chat'], groups };
    expect((await admin(address, { json })).status).toBe(400);
  }
});

test('a key keeps working when its creator loses their permissions, and the list says so', async () => {
  const groups = {
    admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
    keepers: { id: 'keepers', name: 'Keepers', permissions: { adminAccess: ['keys'] } },
    staff: { id: 'staff', name: 'Staff', permissions: { apps: ['*'], models: ['*'] } },
  };
  server = await startTestServer({ files: { 'config/groups.json': { groups } } });
  const admin = await signInAdmin(server);
  const keeper = await signInNew(server, admin, { username: 'keeper', groups: ['keepers'] });
  const json = { name: 'Intranet', scopes: ['chat'], groups: ['staff'] };
  const { key } = await parseAnswer(
    serviceKeysApi.create.response,
    keeper.visitor(address, { json }),
  );
  const listed = async () => {
    const { items } = await parseAnswer(serviceKeysApi.list.response, admin(address));
    return items.map(({ creatorLostRights }) => creatorLostRights);
  };
  expect(await listed()).toEqual([undefined]);
  const change = { method: 'PUT', json: { disabled: true } };
  expect((await admin(`/api/admin/users/${keeper.id}`, change)).status).toBe(200);
  expect(await listed()).toEqual([true]);
  expect((await programWith(server, key)('/api/apps')).status).toBe(200);
});
