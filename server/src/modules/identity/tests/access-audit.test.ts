import { secondFactorApi } from '@knowhow/shared/access/second-factor';
import type { AuditEntry } from '@knowhow/shared/config/admin';
import { generate } from 'otplib';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { createAuditLog } from '../../../platform/storage/audit-log.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  adminPassword,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { createAccessAudit } from '../access-audit.ts';

async function start(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  onTestFinished(server.close);
  return { server, admin: await signInAdmin(server) };
}

async function entriesOf(admin: Visitor, query = ''): Promise<AuditEntry[]> {
  const response = await admin(`/api/admin/audit?limit=100${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: AuditEntry[] }).items;
}

const signUp = async (server: TestServer, admin: Visitor) => {
  const password = 'a long password of ann';
  const user = { username: 'ann', name: 'Ann', password, groups: ['authenticated'] };
  const { user: made } = (await (await admin('/api/admin/users', { json: user })).json()) as {
    user: { id: string };
  };
  const ann = server.visitor();
  expect((await ann('/api/auth/login', { json: { username: 'ann', password } })).status).toBe(200);
  return { ann, id: made.id };
};

const key = `Bearer kh_${'a'.repeat(43)}`;
const token = 'b'.repeat(43);

test.each<[string, string, Parameters<Visitor>[1], number, string]>([
  ['an admin route', '/api/admin/users', {}, 401, 'not-signed-in'],
  ['a wrong key', '/api/apps', { headers: { Authorization: key } }, 401, 'not-signed-in'],
  ['a wrong key at /v1', '/v1/models', { headers: { Authorization: key } }, 401, 'not-signed-in'],
  ['a wrong share link', `/api/shared/${token}`, {}, 404, 'not-found'],
  ['a wrong invitation', '/api/invitations/find', { json: { token } }, 404, 'not-found'],
  ['a hidden skill', '/api/skills/secret', {}, 404, 'not-found'],
  ['an unknown provider', '/api/auth/oidc/none', {}, 404, 'not-found'],
  [
    'a write from another site',
    '/api/auth/logout',
    { method: 'POST', headers: { Origin: 'https://evil.example' } },
    403,
    'foreign-origin',
  ],
])('records %s that is denied', async (_, path, init, status, reason) => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const { server, admin } = await start({ log });
  await admin('/metrics');
  expect((await server.visitor()(path, init)).status).toBe(status);
  const [entry, ...others] = await entriesOf(admin, '&kind=access');
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    action: 'access-denied',
    userId: 'address:127.0.0.1',
    after: { address: '127.0.0.1', reason },
  });
  const line = lines.find(({ msg }) => msg === 'access denied');
  expect(line).toMatchObject({ status, code: reason, address: '127.0.0.1', level: 30 });
  expect(JSON.stringify([entry, line])).not.toMatch(/secret|kh_|bbbb|evil/);
  expect(await (await admin('/metrics')).text()).toMatch(
    new RegExp(`knowhow_access_denied_total\\{.*knowhow_access_reason="${reason}"\\} 1`),
  );
});

test('records no denial if an administrator opens a skill without a draft', async () => {
  const { admin } = await start();
  expect((await admin('/api/skill-drafts/minutes?contents=false')).status).toBe(404);
  expect(await entriesOf(admin, '&kind=access')).toEqual([]);
});

test('records that an author may not see the draft of another category', async () => {
  const group = (id: string, permissions: object) => ({ [id]: { id, name: id, permissions } });
  const { server, admin } = await start({
    files: {
      'config/groups.json': {
        groups: {
          ...group('admins', { skills: ['*'], adminAccess: true }),
          ...group('hr', { skillRights: { author: ['HR'] } }),
        },
      },
    },
  });
  const content = '---\nname: fresh\ndescription: Fresh.\ncategory: Law\n---\n\nDo it.\n';
  const skill = { slug: 'fresh', content, files: [] };
  const json = { formatVersion: 2, skill };
  expect((await admin('/api/skill-drafts/fresh', { method: 'PUT', json })).status).toBe(200);
  const { visitor } = await signInNew(server, admin, { username: 'ann', groups: ['hr'] });
  expect((await visitor('/api/skill-drafts/fresh')).status).toBe(404);
  expect(await entriesOf(admin, '&kind=access')).toMatchObject([
    { action: 'access-denied', after: { reason: 'not-found' } },
  ]);
});

test('names the user who is denied an admin route, and counts repeated denials', async () => {
  const { server, admin } = await start();
  const { ann, id } = await signUp(server, admin);
  for (let count = 0; count < 40; count += 1) {
    expect((await ann(`/api/admin/users/${count}`)).status).toBe(403);
  }
  const denied = await entriesOf(admin, '&kind=access&query=denied');
  expect(denied).toHaveLength(5);
  expect(denied[0]).toMatchObject({
    userId: id,
    userName: 'Ann',
    target: 'GET /api/admin/users/:id',
    after: { address: '127.0.0.1', reason: 'forbidden' },
  });
  await server.stop();
  const again = await startTestServer({ folder: server.folder });
  onTestFinished(again.close);
  const [more] = await entriesOf(await signInAdmin(again), '&kind=access&query=denied-more');
  expect(more).toMatchObject({
    userId: id,
    after: { address: '127.0.0.1', attempts: 35, reasons: { forbidden: 35 } },
  });
});

test('records a request that exceeds a rate limit', async () => {
  const files = { 'config/platform.json': { rateLimit: { requests: 5 } } };
  const { server, admin } = await start({ files });
  const guest = server.visitor();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    statuses.push((await guest('/api/apps')).status);
  }
  expect(statuses.at(-1)).toBe(429);
  const [entry] = await entriesOf(admin, '&kind=access');
  expect(entry).toMatchObject({
    action: 'access-denied',
    userId: 'address:127.0.0.1',
    after: { address: '127.0.0.1', reason: 'too-many-requests' },
  });
});

test('records a wrong second factor in the account and at sign-in, each once', async () => {
  const { server, admin } = await start();
  const address = '/api/account/second-factor';
  const begun = await parseAnswer(
    secondFactorApi.begin.response,
    admin(address, { json: { password: adminPassword } }),
  );
  const confirm = (code: string) => admin(address, { method: 'PUT', json: { code } });
  expect((await confirm('000')).status).toBe(401);
  expect((await confirm(await generate({ secret: begun.secret }))).status).toBe(200);
  const json = { username: 'admin', password: adminPassword, code: '000' };
  expect((await server.visitor()('/api/auth/login', { json })).status).toBe(401);
  const denied = await entriesOf(admin, '&kind=access');
  expect(denied).toMatchObject([
    { target: `PUT ${address}`, userName: 'Admin', after: { reason: 'wrong-code' } },
  ]);
  const refused = await entriesOf(admin, '&query=sign-in-refused');
  expect(refused).toMatchObject([{ after: { reason: 'wrong-code' } }]);
});

test('has one entry for a wrong password, not two', async () => {
  const { server, admin } = await start();
  const wrong = { username: 'admin', password: 'a wrong password' };
  expect((await server.visitor()('/api/auth/login', { json: wrong })).status).toBe(401);
  expect(await entriesOf(admin, '&kind=access')).toEqual([]);
  expect(await entriesOf(admin, '&query=sign-in-refused')).toHaveLength(1);
});

test('keeps the number of entries bounded when many addresses are denied', async () => {
  const database = await openTestDatabase(await temporaryFolder());
  onTestFinished(() => database.destroy());
  const log = createAuditLog(database);
  const audit = createAccessAudit(log);
  for (let count = 0; count < 2000; count += 1) {
    await audit.denied({
      ...{ user: undefined, method: 'GET', route: '/api/apps', reason: 'not-signed-in' },
      address: `2001:db8:0:${count.toString(16)}::/64`,
    });
  }
  await audit.flush();
  const { total } = await log.list({ limit: 1 });
  expect(total).toBeLessThanOrEqual(151);
  const { items } = await log.list({ limit: 100, query: 'denied-more' });
  const counts = items.map(({ after }) => (after as { attempts: number }).attempts);
  const entries = total - items.length;
  expect(counts.reduce((sum, count) => sum + count, entries)).toBe(2000);
});

test('records exports, connection tests, deletions and reads of personal data', async () => {
  const { server, admin } = await start();
  const { ann, id } = await signUp(server, admin);
  const { conversationId } = await takeTurn(ann, { message: 'Go.' });
  const calls: [Visitor, string, Parameters<Visitor>[1]?][] = [
    [ann, `/api/conversations/${conversationId}/export?format=json`],
    [ann, `/api/conversations/${conversationId}`, { method: 'DELETE' }],
    [admin, '/api/admin/skills/meeting-notes/export'],
    [admin, '/api/admin/export/skills?names=meeting-notes'],
    [admin, '/api/admin/analytics/skills.csv'],
    [admin, '/api/admin/analytics/reasons'],
    [admin, '/api/admin/models/scripted/test', { method: 'POST' }],
    [admin, '/api/admin/users'],
    [admin, '/api/admin/users'],
    [admin, `/api/admin/users/${id}`],
    [admin, '/api/admin/usage'],
    [admin, '/api/admin/invitations'],
    [admin, '/api/admin/shared-prompts'],
    [admin, '/api/admin/try-as', { json: { app: 'chat', user: id } }],
  ];
  const before = new Set((await entriesOf(admin)).map((entry) => entry.id));
  for (const [visitor, path, init] of calls) {
    expect((await visitor(path, init)).status, path).toBeLessThan(300);
  }
  const entries = (await entriesOf(admin)).filter((entry) => !before.has(entry.id)).reverse();
  expect(entries.map(({ action, kind, target }) => `${action} ${kind} ${target}`)).toEqual([
    `export conversation ${conversationId}`,
    `delete conversation ${conversationId}`,
    'export skill meeting-notes',
    'export skill *',
    'export access analytics',
    'read access feedback',
    'tested model scripted',
    'read access users',
    'read user ann',
    'read access usage',
    'read access invitations',
    'read access shared-prompts',
    'tried-as user ann',
  ]);
});
