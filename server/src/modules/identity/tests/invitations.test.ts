import { join } from 'node:path';
import { meSchema } from '@knowhow/shared/access/auth';
import { invitationsApi } from '@knowhow/shared/access/invitations';
import { problemSchema } from '@knowhow/shared/problem';
import { afterEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
afterEach(() => server.close());

const address = '/api/admin/invitations';
const invite = async (admin: Visitor, wanted: object = {}) => {
  const json = { note: 'Ann of sales', groups: ['authenticated'], expiresInDays: 7, ...wanted };
  const made = await parseAnswer(invitationsApi.create.response, admin(address, { json }));
  return { ...made, token: made.path.split('#')[1] ?? '' };
};
const accept = (visitor: Visitor, token: string, person: object = {}) =>
  visitor('/api/invitations/accept', {
    json: { token, username: 'Ann', name: 'Ann', password: 'seven calm herons', ...person },
  });
const find = (token: string) => server.visitor()('/api/invitations/find', { json: { token } });
const codeOf = async (answer: Promise<Response>) =>
  problemSchema.parse(await (await answer).json()).code;

test('the link creates one account, in the listed groups, and signs it in', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  const { token, details } = await invite(admin);
  expect(await (await find(token)).json()).toMatchObject({ passwordMinLength: 8 });
  // Failures do not use up the invitation.
  expect(await codeOf(accept(server.visitor(), token, { username: 'ADMIN' }))).toBe('name-taken');
  expect(await codeOf(accept(server.visitor(), token, { password: 'football1' }))).toBe(
    'invalid-request',
  );
  const [ann, ben] = [server.visitor(), server.visitor()];
  const answers = await Promise.all([
    accept(ann, token),
    accept(ben, token, { username: 'ben', name: 'Ben' }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  const visitor = answers[0]?.status === 204 ? ann : ben;
  expect(await parseAnswer(meSchema, visitor('/api/auth/me'))).toMatchObject({
    ...{ anonymous: false, isAdmin: false, groups: ['authenticated'] },
  });
  expect((await find(token)).status).toBe(404);
  expect(await (await admin(address)).json()).toMatchObject({ total: 0 });
  const audit = await (await admin('/api/admin/audit?kind=user')).text();
  expect(JSON.parse(audit)).toMatchObject({
    items: [
      { action: 'create', after: { invitation: 'Ann of sales', invitedBy: 'Admin' } },
      { action: 'invited', target: 'Ann of sales' },
    ],
  });
  expect(audit).not.toContain(token);
  expect(JSON.stringify(details)).not.toContain(token);
});

test('a revoked or expired invitation creates no account', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  const [back, old] = [await invite(admin), await invite(admin)];
  await admin(`${address}/${back.details.id}`, { method: 'DELETE' });
  const database = await openTestDatabase(join(server.folder, 'data'));
  const expired = { expires_at: '2026-01-01T00:00:00.000Z' };
  await database.updateTable('invitations').set(expired).where('id', '=', old.details.id).execute();
  await database.destroy();
  for (const { token } of [back, old]) {
    expect((await accept(server.visitor(), token)).status).toBe(404);
  }
  const json = { note: 'Ann', groups: ['unknown'], expiresInDays: 7 };
  expect((await admin(address, { json })).status).toBe(400);
});

const groups = {
  admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
  people: { id: 'people', name: 'People', permissions: { adminAccess: ['users', 'keys'] } },
  readers: { id: 'readers', name: 'Readers', permissions: { adminAccess: ['audit'] } },
  staff: { id: 'staff', name: 'Staff', permissions: { apps: ['*'] } },
};
const losses: [string, (admin: Visitor, id: string) => Promise<Response>][] = [
  ['is demoted', (admin, id) => putUser(admin, id, { groups: ['staff'] })],
  ['has only another permission', (admin, id) => putUser(admin, id, { groups: ['readers'] })],
  ['is disabled', (admin, id) => putUser(admin, id, { disabled: true })],
  [
    'is in a group that lost its permissions',
    (admin) => admin('/api/admin/groups/people', { method: 'PUT', json: { name: 'People' } }),
  ],
  [
    'would grant permissions that the group has gained since',
    (admin) => {
      const json = { name: 'Staff', permissions: { adminAccess: ['settings'] } };
      return admin('/api/admin/groups/staff', { method: 'PUT', json });
    },
  ],
];
const putUser = (admin: Visitor, id: string, json: object) =>
  admin(`/api/admin/users/${id}`, { method: 'PUT', json });

async function startWithInviter() {
  server = await startTestServer({ files: { 'config/groups.json': { groups } } });
  const admin = await signInAdmin(server);
  const inviter = await signInNew(server, admin, { username: 'inviter', groups: ['people'] });
  const { token } = await invite(inviter.visitor, { groups: ['staff'] });
  return { admin, inviter, token };
}

const voidOf = async (admin: Visitor) => {
  const { items } = await parseAnswer(invitationsApi.list.response, admin(address));
  return items.map(({ isVoid }) => isVoid);
};

test.each(losses)('an invitation is void while its creator %s', async (_, change) => {
  const { admin, inviter, token } = await startWithInviter();
  expect(await voidOf(admin)).toEqual([false]);
  expect((await find(token)).status).toBe(200);
  expect((await change(admin, inviter.id)).status).toBe(200);
  for (const answer of [await find(token), await accept(server.visitor(), token)]) {
    expect(answer.status).toBe(403);
    const { detail } = problemSchema.parse(await answer.json());
    expect(detail).toContain('Ask another administrator for a new one.');
  }
  expect(await voidOf(admin)).toEqual([true]);
  const users = await (await admin('/api/admin/users')).text();
  expect(users).not.toContain('"username":"ann"');
  expect(await (await admin('/api/admin/audit?kind=user&query=refused')).json()).toMatchObject({
    items: [
      {
        ...{ action: 'invitation-refused', target: 'Ann of sales' },
        after: { groups: ['staff'], invitedBy: 'inviter' },
      },
    ],
  });
});

test('an invitation is void once its creator is deleted, and valid again once a disabled creator is enabled', async () => {
  const { admin, inviter, token } = await startWithInviter();
  await putUser(admin, inviter.id, { disabled: true });
  await putUser(admin, inviter.id, { disabled: false });
  expect((await find(token)).status).toBe(200);
  await putUser(admin, inviter.id, { disabled: true });
  const address = `/api/admin/users/${inviter.id}?conversations=delete`;
  const gone = await admin(address, { method: 'DELETE' });
  expect(gone.ok).toBe(true);
  expect((await accept(server.visitor(), token)).status).toBe(403);
});

test("an invitation of an earlier version, without its creator's ID, is void", async () => {
  const { admin, token } = await startWithInviter();
  const database = await openTestDatabase(join(server.folder, 'data'));
  await database.updateTable('invitations').set({ created_by_id: null }).execute();
  await database.destroy();
  expect((await accept(server.visitor(), token)).status).toBe(403);
  expect(await voidOf(admin)).toEqual([true]);
});

test('an invitation revoked while it is being accepted stays revoked', async () => {
  server = await startTestServer({ passwordRounds: 12 });
  const admin = await signInAdmin(server);
  const { token, details } = await invite(admin);
  const accepted = accept(server.visitor(), token, { username: 'ADMIN' });
  const back = await admin(`${address}/${details.id}`, { method: 'DELETE' });
  expect(back.status).toBe(204);
  expect((await accepted).ok).toBe(false);
  expect((await find(token)).status).toBe(404);
});
