import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { apiKeysApi } from '@knowhow/shared/access/api-keys';
import type { KeyScope } from '@knowhow/shared/access/key-scopes';
import { problemSchema } from '@knowhow/shared/problem';
import { skillsApi } from '@knowhow/shared/skills/skills';
import AdmZip from 'adm-zip';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { makeKey, programWith } from '../../../testing/make-key.ts';
import { connectMcp } from '../../../testing/mcp-client.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { passwordOf, rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import {
  type ScriptedModel,
  says,
  scriptedModel,
  untilAborted,
} from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';

let server: TestServer;
let admin: Visitor;
let model: ScriptedModel;
let people = 0;

beforeAll(async () => {
  model = scriptedModel(says('Hello.'));
  // Anonymous access is on, to show that a bad key does not fall back to anonymous.
  server = await startTestServer({ files: rightsFiles, model: (...asked) => model.ask(...asked) });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const newUser = (groups = ['staff']): Promise<SignedIn> => {
  people += 1;
  return signInNew(server, admin, { username: `user-${people}`, groups });
};
const keysOf = (owner: Visitor) =>
  parseAnswer(apiKeysApi.list.response, owner('/api/account/keys'));
const create = (owner: Visitor, json: unknown) => owner('/api/account/keys', { json });
const statusOf = async (answer: Promise<Response>) => (await answer).status;
const problemOf = async (answer: Promise<Response>) =>
  problemSchema.parse(await (await answer).json());
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** The status at each endpoint: chat, skills, MCP, account and admin pages. */
async function probeEndpoints(program: Visitor): Promise<number[]> {
  const turn = await takeTurn(program, { message: 'Hello' });
  const rest = await Promise.all([
    statusOf(program('/api/skills')),
    statusOf(program('/mcp', { json: listTools })),
    statusOf(program('/api/account/keys')),
    statusOf(program('/api/admin/users')),
  ]);
  return [turn.status, ...rest];
}

describe('a key', () => {
  test.each<[KeyScope, number[]]>([
    ['chat', [200, 403, 403, 403, 403]],
    ['skills', [403, 200, 403, 403, 403]],
    ['mcp', [403, 403, 200, 403, 403]],
  ])(
    'with the scope %s opens those endpoints, and never the admin pages',
    async (scope, answers) => {
      const owner = await newUser(['admins', 'staff']);
      const { program } = await makeKey(server, owner.visitor, [scope]);
      expect(await probeEndpoints(program)).toEqual(answers);
      expect(await (await program('/api/auth/me')).json()).toMatchObject({
        id: owner.id,
        isAdmin: false,
        anonymous: false,
      });
    },
  );

  test("has exactly its user's permissions", async () => {
    const [staff, intern] = [await newUser(['staff']), await newUser(['interns'])];
    const seen = async ({ visitor }: SignedIn) => {
      const { program } = await makeKey(server, visitor, ['skills']);
      const { items } = await parseAnswer(skillsApi.list.response, program('/api/skills'));
      return items.map(({ name }) => name);
    };
    expect(await seen(staff)).toEqual(['meeting-notes', 'release-notes']);
    expect(await seen(intern)).toEqual(['release-notes']);
  });

  test('acts as its user in the chat: its conversations are theirs', async () => {
    const { visitor } = await newUser();
    const { program } = await makeKey(server, visitor, ['chat']);
    const { conversationId } = await takeTurn(program, { message: 'From a program' });
    const { messages } = await readConversation(visitor, conversationId);
    expect(messages[0]).toMatchObject({ content: 'From a program' });
  });

  test('grants access to an MCP host', async () => {
    const { visitor } = await newUser(['interns']);
    const { key } = await makeKey(server, visitor, ['mcp']);
    const { client } = await connectMcp(server, { token: key });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('activate_skill');
    const found = await client.callTool({ name: 'search_skills', arguments: { query: 'notes' } });
    const text = JSON.stringify(found.content);
    expect([text.includes('release-notes'), text.includes('meeting-notes')]).toEqual([true, false]);
  });

  test('is shown once; stored and listed data cannot be used as a key', async () => {
    const { visitor, id } = await newUser();
    const { key, program } = await makeKey(server, visitor, ['chat', 'mcp'], {
      name: 'Build server',
      expiresInDays: 30,
    });
    expect(key).toMatch(/^kh_[\w-]{43}$/);
    await program('/api/apps');
    const list = await keysOf(visitor);
    expect(list.items).toMatchObject([
      { name: 'Build server', prefix: key.slice(0, 11), scopes: ['chat', 'mcp'] },
    ]);
    const { createdAt = '', expiresAt = '', lastUsedAt = '' } = list.items[0] ?? {};
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);
    expect(Date.now() - Date.parse(lastUsedAt)).toBeLessThan(60_000);
    const row = await inDatabase((database) =>
      database.selectFrom('api_keys').selectAll().where('user_id', '=', id).executeTakeFirst(),
    );
    expect(row?.hash).toBe(createHash('sha256').update(key).digest('hex'));
    const audit = await (await admin(`/api/admin/audit?kind=key&user=${id}`)).text();
    expect(JSON.parse(audit).items).toMatchObject([
      { action: 'created', target: 'Build server', after: { scopes: ['chat', 'mcp'] } },
    ]);
    const told = JSON.stringify([list, row]) + audit;
    expect(told).not.toContain(key.slice(12));
  });

  test('updates its last use at most once a minute', async () => {
    const { visitor } = await newUser();
    const { program, id } = await makeKey(server, visitor, ['chat']);
    const setUsed = (at: string) =>
      inDatabase((database) =>
        database.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute(),
      );
    const used = async () => (await keysOf(visitor)).items[0]?.lastUsedAt ?? '';
    const recently = new Date(Date.now() - 30_000).toISOString();
    await setUsed(recently);
    await program('/api/apps');
    expect(await used()).toBe(recently);
    await setUsed(new Date(Date.now() - 120_000).toISOString());
    await program('/api/apps');
    expect(Date.now() - Date.parse(await used())).toBeLessThan(60_000);
  });
});

describe('a key is no longer valid', () => {
  test('once its owner revokes it, including running requests', async () => {
    const [{ visitor, id: owner }, other] = [await newUser(), await newUser()];
    const { program, id } = await makeKey(server, visitor, ['chat']);
    const revoke = (by: Visitor) => by(`/api/account/keys/${id}`, { method: 'DELETE' });
    model = scriptedModel([{ type: 'text', text: 'Slowly' }, untilAborted]);
    const running = takeTurn(program, { message: 'Hello' });
    await expect.poll(() => model.requests.length).toBe(1);
    expect(await statusOf(revoke(other.visitor))).toBe(404);
    expect(await statusOf(revoke(visitor))).toBe(204);
    expect((await running).events.at(-1)).toMatchObject({ type: 'error', code: 'not-signed-in' });
    model = scriptedModel(says('Hello.'));
    expect(await problemOf(program('/api/apps'))).toMatchObject({ code: 'not-signed-in' });
    expect(await statusOf(revoke(visitor))).toBe(404);
    const audit = await (await admin(`/api/admin/audit?kind=key&user=${owner}`)).json();
    expect(audit).toMatchObject({ items: [{ action: 'revoked', target: 'A program' }, {}] });
  });

  test('once it has expired', async () => {
    const { visitor } = await newUser();
    const { program, id } = await makeKey(server, visitor, ['chat', 'mcp'], { expiresInDays: 1 });
    expect(await statusOf(program('/api/apps'))).toBe(200);
    const over = new Date(Date.now() - 1000).toISOString();
    await inDatabase((database) =>
      database.updateTable('api_keys').set({ expires_at: over }).where('id', '=', id).execute(),
    );
    expect(await statusOf(program('/api/apps'))).toBe(401);
    const answer = await program('/mcp', { json: listTools });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await keysOf(visitor)).items).toMatchObject([{ expiresAt: over }]);
  });

  test('while its user is disabled, and permanently when the user is deleted', async () => {
    const { visitor, id } = await newUser();
    const { program } = await makeKey(server, visitor, ['chat']);
    const change = (disabled: boolean) =>
      admin(`/api/admin/users/${id}`, { method: 'PUT', json: { disabled } });
    const answers = [];
    for (const disabled of [true, false, true]) {
      expect(await statusOf(change(disabled))).toBe(200);
      answers.push(await statusOf(program('/api/apps')));
    }
    expect(answers).toEqual([401, 200, 401]);
    await admin(`/api/admin/users/${id}?conversations=delete`, { method: 'DELETE' });
    expect(await statusOf(program('/api/apps'))).toBe(401);
    const left = await inDatabase((database) =>
      database.selectFrom('api_keys').select('id').where('user_id', '=', id).execute(),
    );
    expect(left).toEqual([]);
  });

  test('once an administrator sets the password; not when its user changes it', async () => {
    const { visitor, id } = await newUser();
    const { program } = await makeKey(server, visitor, ['chat']);
    const changed = { current: passwordOf(`user-${people}`), password: 'seven calm herons' };
    const put = visitor('/api/account/password', { method: 'PUT', json: changed });
    expect(await statusOf(put)).toBe(204);
    expect(await statusOf(program('/api/apps'))).toBe(200);
    await admin(`/api/admin/users/${id}/reset-password`, { json: {} });
    expect(await statusOf(program('/api/apps'))).toBe(401);
  });

  test('if it never was: it does not fall back to anonymous', async () => {
    const stranger = programWith(server, `kh_${'A'.repeat(43)}`);
    expect(await probeEndpoints(stranger)).toEqual([401, 401, 401, 401, 401]);
    expect(await statusOf(server.visitor()('/api/apps'))).toBe(200);
    const answer = await stranger('/api/auth/me');
    expect([await answer.json(), answer.headers.getSetCookie()]).toMatchObject([
      { anonymous: true, mayChat: false },
      [],
    ]);
  });
});

test.each([
  ['alone', (key: string) => key],
  ['with another scheme', (key: string) => `Basic ${key}`],
  ['in quotes', (key: string) => `Bearer "${key}"`],
  ['in capitals', (key: string) => `Bearer ${key.toUpperCase()}`],
])('a key written %s in its header does not fall back to anonymous', async (_, written) => {
  const { visitor } = await newUser();
  const { key } = await makeKey(server, visitor, ['chat']);
  const asked = (path: string, authorization: string) =>
    fetch(server.url + path, { headers: { authorization } });
  for (const path of ['/api/conversations', '/v1/models']) {
    expect(await statusOf(asked(path, written(key)))).toBe(401);
    expect(await statusOf(asked(path, `Bearer  ${key}`))).toBe(200);
  }
  const me = await (await asked('/api/auth/me', `Bearer\t${key}`)).text();
  expect(me).toContain('"anonymous":false');
});

describe('rejects', () => {
  test.each([
    ['no name', { name: ' ', scopes: ['chat'] }],
    ['a name that is too long', { name: 'a'.repeat(101), scopes: ['chat'] }],
    ['a name with invisible characters', { name: 'a\u0000b', scopes: ['chat'] }],
    ['no scope', { name: 'CI', scopes: [] }],
    ['an unknown scope', { name: 'CI', scopes: ['admin'] }],
    ['an expiry in the past', { name: 'CI', scopes: ['chat'], expiresInDays: 0 }],
    ['an expiry in a thousand years', { name: 'CI', scopes: ['chat'], expiresInDays: 365_000 }],
    ['an unknown field', { name: 'CI', scopes: ['chat'], admin: true }],
  ])('%s', async (_, json) => {
    expect(await problemOf(create(admin, json))).toMatchObject({ code: 'invalid-request' });
  });

  test('a guest, a key that creates keys, and more keys than the maximum', async () => {
    const { visitor, id } = await newUser();
    const { program } = await makeKey(server, visitor, ['chat', 'skills', 'mcp']);
    const json = { name: 'CI', scopes: ['chat'] };
    expect(await statusOf(create(server.visitor(), json))).toBe(403);
    expect(await statusOf(create(program, json))).toBe(403);
    await inDatabase(async (database) => {
      const old = await database
        .selectFrom('api_keys')
        .selectAll()
        .where('user_id', '=', id)
        .execute();
      const more = Array.from({ length: 47 }, (_, n) => ({
        ...old[0],
        id: `old-${n}`,
        hash: `${n}`,
      }));
      await database
        .insertInto('api_keys')
        .values(more as typeof old)
        .execute();
    });
    const made = await Promise.all(Array.from({ length: 5 }, () => create(visitor, json)));
    const failed = made.filter(({ status }) => status === 409);
    expect([failed.length, (await keysOf(visitor)).total]).toEqual([3, 50]);
    expect((await problemOf(create(visitor, json))).detail).toContain('50 keys');
  });
});

test('backups contain no keys; existing ones survive a restore, and revoked ones stay revoked', async () => {
  const { visitor } = await newUser();
  const [kept, revoked] = [
    await makeKey(server, visitor, ['chat']),
    await makeKey(server, visitor, ['chat']),
  ];
  const backup = await exportBackup(admin, '?data=true');
  await visitor(`/api/account/keys/${revoked.id}`, { method: 'DELETE' });
  await importBackup(admin, backup, '?only=data');
  expect([
    await statusOf(kept.program('/api/apps')),
    await statusOf(revoked.program('/api/apps')),
  ]).toEqual([200, 401]);
  const texts = new AdmZip(backup).getEntries().map((entry) => entry.getData().toString());
  expect(texts.join('').includes(kept.key.slice(0, 11))).toBe(false);
});

async function inDatabase<Result>(
  run: (database: Awaited<ReturnType<typeof openTestDatabase>>) => Promise<Result>,
): Promise<Result> {
  const database = await openTestDatabase(join(server.folder, 'data'));
  try {
    return await run(database);
  } finally {
    await database.destroy();
  }
}
