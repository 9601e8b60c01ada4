import { authApi } from '@knowhow/shared/access/auth';
import { adminApi } from '@knowhow/shared/config/admin';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;

const groupWith = (id: string, adminAccess: unknown, more: object = {}) => ({
  ...{ id, name: id, permissions: { adminAccess } },
  ...more,
});
const groups = {
  admins: groupWith('admins', true),
  people: groupWith('people', ['users', 'groups', 'backups']),
  authors: groupWith('authors', ['skills']),
  heirs: groupWith('heirs', false, { inherits: ['admins'] }),
  staff: { id: 'staff', name: 'Staff' },
};

beforeEach(async () => {
  server = await startTestServer({ files: { 'config/groups.json': { groups } } });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

/** A new user in one of the groups. */
async function member(group: string, username = group) {
  return signInNew(server, admin, { username, groups: [group] });
}

const json = async (answer: Promise<Response>) => (await answer).json();
const refusal = async (answer: Promise<Response>) => {
  const { code, detail } = problemSchema.parse(await json(answer));
  return `${code}: ${detail}`;
};

test('an administrator with some permissions sees which, can use those, and is denied the rest', async () => {
  const { visitor } = await member('authors');
  expect(await json(visitor('/api/auth/me'))).toMatchObject({
    ...{ isAdmin: true, adminRights: ['skills'] },
  });
  expect(await json(admin('/api/auth/me'))).toMatchObject({ adminRights: ['*'] });
  expect(await refusal(visitor('/api/admin/users'))).toBe(
    'forbidden: This is for administrators with the right "users".',
  );
  // They need to know which apps and groups exist, but no other fields.
  const choices = (kind: string) =>
    parseAnswer(adminApi.choices.response, visitor(`/api/admin/choices/${kind}`));
  const group = { id: 'admins', name: 'admins', permissions: {} };
  expect((await choices('groups')).items).toContainEqual({ id: 'admins', config: group });
  const [app] = (await choices('apps')).items;
  expect(app?.config).toMatchObject({ id: 'chat' });
  expect(app?.config).not.toHaveProperty('system');
  const put = (change: object) =>
    visitor('/api/admin/skills/meeting-notes', { method: 'PUT', json: change });
  expect((await put({ groups: ['staff'] })).status).toBe(200);
});

test("try-as reveals neither users' groups nor app texts without the permission", async () => {
  await server.close();
  const authors = (id: string, more: string[], apps: string[] = []) => ({
    ...{ id, name: id, permissions: { apps, adminAccess: ['skills', ...more] } },
  });
  const all = {
    ...groups,
    admins: { id: 'admins', name: 'Admins', permissions: { apps: ['*'], adminAccess: true } },
    board: { id: 'board', name: 'Board', permissions: { apps: ['secret'] } },
    'with-users': authors('with-users', ['users']),
    'with-apps': authors('with-apps', ['apps']),
    'with-secret': authors('with-secret', [], ['secret']),
  };
  const files = {
    'config/groups.json': { groups: all },
    'apps/secret.json': { id: 'secret', name: 'Secret', system: 'The budget is 7.' },
  };
  server = await startTestServer({ files });
  admin = await signInAdmin(server);
  const { id: user } = await member('board');
  const tryAs = async (visitor: Visitor, who: object) => {
    const answer = await visitor('/api/admin/try-as', { json: { app: 'secret', ...who } });
    if (!answer.ok) {
      return answer.status;
    }
    const { system, withoutAppText } = adminApi.tryAs.response.parse(await answer.json());
    return [system.includes('budget'), withoutAppText];
  };
  const rows = [];
  for (const group of ['authors', 'with-users', 'with-apps', 'with-secret']) {
    const { visitor } = await member(group);
    const tried = [{ groups: ['board'] }, { groups: ['admins'] }, { user }, { user: 'none' }];
    rows.push([group, ...(await Promise.all(tried.map((who) => tryAs(visitor, who))))]);
  }
  const [hidden, shown] = [
    [false, true],
    [true, undefined],
  ];
  expect(rows).toEqual([
    ['authors', hidden, hidden, 403, 403],
    ['with-users', hidden, hidden, hidden, 404],
    ['with-apps', shown, shown, 403, 403],
    ['with-secret', shown, shown, 403, 403],
  ]);
});

test('administrators cannot grant a permission that they do not have', async () => {
  const { visitor, id } = await member('people');
  const more = /^forbidden: .*You do not have (?:all rights|the rights skills) of an administrator/;
  const make = (path: string, body: object) => visitor(`/api/admin/${path}`, { json: body });
  const put = (path: string, body: object) =>
    visitor(`/api/admin/${path}`, { method: 'PUT', json: body });
  const user = { username: 'new', name: 'New' };
  const { id: adminId } = await parseAnswer(authApi.me.response, admin('/api/auth/me'));
  expect(await refusal(make(`users/${id}/move-sign-in`, { to: adminId }))).toMatch(more);
  for (const group of ['admins', 'authors', 'heirs']) {
    expect(await refusal(make('users', { ...user, groups: [group] }))).toMatch(more);
    expect(await refusal(put(`users/${id}`, { groups: ['people', group] }))).toMatch(more);
    const invitation = { note: 'For me', groups: [group], expiresInDays: 1 };
    expect(await refusal(make('invitations', invitation))).toMatch(more);
    // Through a group's permissions, its inheritance, and its members.
    const heir = { id: 'mine', name: 'Mine', inherits: [group] };
    expect(await refusal(put('groups/mine', heir))).toMatch(more);
    const mapped = { ...groups[group as 'admins'], mappings: ['everybody'] };
    expect(await refusal(put(`groups/${group}`, mapped))).toMatch(more);
    const gone = visitor(`/api/admin/groups/${group}`, { method: 'DELETE' });
    expect(await refusal(gone)).toMatch(more);
  }
  const self = groupWith('people', ['users', 'groups', 'backups', 'skills']);
  expect(await refusal(put('groups/people', self))).toMatch(more);
  expect(await refusal(put('groups/people', groupWith('people', '*')))).toMatch(/invalid-request/);
  expect((await put('groups/new', groupWith('new', ['users']))).status).toBe(200);
  expect((await make('users', { ...user, groups: ['new', 'staff'] })).status).toBe(200);
});

test('refuses to become, change or lock out a user with more permissions', async () => {
  const { visitor } = await member('people');
  const author = await member('authors');
  const of = (rest: string, sent: object) => visitor(`/api/admin/users/${author.id}${rest}`, sent);
  const refused = 'forbidden: authors administers more than you do.';
  for (const answer of [
    of('/reset-password', { json: {} }),
    of('/second-factor', { method: 'DELETE' }),
    of('', { method: 'PUT', json: { disabled: true } }),
    of('', { method: 'PUT', json: { groups: [] } }),
    of('?conversations=delete', { method: 'DELETE' }),
  ]) {
    expect(await refusal(answer)).toContain(refused);
  }
  expect((await author.visitor('/api/admin/skills')).status).toBe(200);
});

test('exporting users and conversations, and any restore, requires all permissions', async () => {
  const { visitor } = await member('people');
  // Sequentially: a user may have three concurrent exports.
  const answers: number[] = [];
  for (const query of ['', '?data=true', '?only=data', '?only=config']) {
    const response = await visitor(`/api/admin/backup/export${query}`);
    await response.arrayBuffer();
    answers.push(response.status);
  }
  expect(answers).toEqual([200, 403, 403, 200]);
  const restore = visitor('/api/admin/backup/import?dryRun=true', { method: 'POST', body: 'zip' });
  expect(await refusal(restore)).toContain('This is for administrators with all rights.');
});

test('at least one administrator with all permissions remains', async () => {
  await member('people');
  const { id } = await parseAnswer(authApi.me.response, admin('/api/auth/me'));
  const demoted = admin(`/api/admin/users/${id}`, { method: 'PUT', json: { groups: ['people'] } });
  expect(await refusal(demoted)).toContain('is the last user with all admin permissions');
  const listed = groupWith('admins', ['users', 'groups']);
  const put = admin('/api/admin/groups/admins', { method: 'PUT', json: listed });
  expect(await refusal(put)).toContain('Keep adminAccess true');
});
