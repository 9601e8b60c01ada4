import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminGroupsApi } from '@knowhow/shared/config/admin-config';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
let admin: Visitor;

const groups = {
  admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
  staff: { id: 'staff', name: 'Staff', permissions: { skills: ['*'] } },
  hr: { id: 'hr', name: 'HR', inherits: ['staff'] },
  guests: { id: 'guests', name: 'Guests' },
  signed: { id: 'signed', name: 'Signed in' },
  second: { id: 'second', name: 'Second', permissions: { adminAccess: true } },
};

beforeEach(async () => {
  server = await startTestServer({
    files: {
      'config/groups.json': { version: 1, groups },
      'config/platform.json': {
        anonymousAuth: { defaultGroups: ['guests'] },
        authenticatedGroups: ['signed'],
      },
    },
  });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const put = (id: string, json: unknown) =>
  admin(`/api/admin/groups/${id}`, { method: 'PUT', json });
const remove = (id: string) => admin(`/api/admin/groups/${id}`, { method: 'DELETE' });
const stored = async () =>
  JSON.parse(await readFile(join(server.folder, 'contents/config/groups.json'), 'utf8'));
const problemOf = async (response: Response) => problemSchema.parse(await response.json());

test('the rest of the file is preserved when one group changes', async () => {
  await put('staff', { ...groups.staff, name: 'All staff' });
  await remove('hr');
  const { hr: _, ...others } = groups;
  const staff = { ...groups.staff, name: 'All staff' };
  expect(await stored()).toEqual({ version: 1, groups: { ...others, staff } });
});

test('rejects an inheritance cycle, naming it', async () => {
  const refused = await problemOf(await put('staff', { ...groups.staff, inherits: ['hr'] }));
  expect(refused).toMatchObject({ code: 'invalid-request', issues: [{ path: 'inherits' }] });
  expect(refused.detail).toMatch(/hr > staff > hr|staff > hr > staff/);
  expect(await stored()).toMatchObject({ groups });
});

test('a chain of ten thousand groups works, and is not a cycle', async () => {
  const row = Array.from({ length: 10_000 }, (_, at) => ({
    id: `g${at}`,
    name: 'G',
    inherits: at === 0 ? ['guests'] : [`g${at - 1}`],
  }));
  const many = { ...groups, ...Object.fromEntries(row.map((group) => [group.id, group])) };
  const path = join(server.folder, 'contents/config/groups.json');
  await writeFile(path, JSON.stringify({ groups: many }));
  // Until the server has read the file, the group is unknown.
  await waitFor(async () => {
    const refused = await put('guests', { ...groups.guests, inherits: ['g9999'] });
    const [issue] = (await problemOf(refused)).issues ?? [];
    return issue?.path === 'inherits' && issue.code === 'circle';
  });
});

test.each([
  ['removes adminAccess', { name: 'Admins', permissions: { adminAccess: false } }],
  ['omits adminAccess', { name: 'Admins' }],
])('rejects a write that %s from the last admin', async (_what, body) => {
  const refused = await problemOf(await put('admins', body));
  expect(refused).toMatchObject({ code: 'conflict' });
  expect(refused.detail).toContain('adminAccess');
  expect(await stored()).toMatchObject({ groups });
});

test('with another admin, adminAccess can be removed', async () => {
  const user = { username: 'ann', name: 'Ann', groups: ['second'] };
  await admin('/api/admin/users', { json: user });
  expect((await put('admins', { name: 'Admins' })).status).toBe(200);
  expect((await admin('/api/admin/groups')).status).toBe(403);
});

test.each([
  ['guests', 'anonymousAuth.defaultGroups'],
  ['signed', 'authenticatedGroups'],
  ['staff', 'HR'],
  ['admins', 'Admin'],
])('the group %s is not deleted while it is in use, and the error says where', async (id, user) => {
  const refused = await problemOf(await remove(id));
  expect(refused).toMatchObject({ code: 'conflict' });
  expect(refused.detail).toContain(user);
  expect(await stored()).toMatchObject({ groups });
});

test('a group is not written into a file with errors elsewhere', async () => {
  const broken = JSON.stringify({ groups: { ...groups, hr: { id: 'hr', name: 7 } } });
  await writeFile(join(server.folder, 'contents/config/groups.json'), broken);
  const refused = await problemOf(await put('staff', { name: 'X' }));
  expect(refused).toMatchObject({ code: 'conflict' });
  expect(refused.detail).toContain('groups.hr.name');

  await writeFile(join(server.folder, 'contents/config/groups.json'), '[]');
  expect(await problemOf(await admin('/api/admin/groups'))).toMatchObject({ code: 'conflict' });
});

test('lists are paginated', async () => {
  const read = async (query: string) =>
    adminGroupsApi.list.response.parse(await (await admin(`/api/admin/groups?${query}`)).json());
  const first = await read('limit=2');
  expect(first.items.map(({ id }) => id)).toEqual(['admins', 'guests']);
  const second = await read(`limit=2&cursor=${first.nextCursor}`);
  expect(second.items.map(({ id }) => id)).toEqual(['hr', 'second']);
  expect((await admin('/api/admin/groups?cursor=x')).status).toBe(400);
});
