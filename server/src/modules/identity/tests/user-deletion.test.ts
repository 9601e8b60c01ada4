import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { meSchema } from '@knowhow/shared/access/auth';
import { adminApi } from '@knowhow/shared/config/admin';
import { problemSchema } from '@knowhow/shared/problem';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says, untilAborted } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { createVisitor, type Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat(rightsFiles);
let admin: Visitor;
let ann: SignedIn;

beforeEach(async () => {
  await chat.start([says('Hello.')]);
  admin = await signInAdmin(chat.server);
  ann = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
});

const remove = (by: Visitor, id: string, conversations = '?conversations=delete') =>
  by(`/api/admin/users/${id}${conversations}`, { method: 'DELETE' });
const idOf = async (visitor: Visitor) =>
  meSchema.parse(await (await visitor('/api/auth/me')).json()).id;
const get = async (id: string) =>
  adminUsersApi.get.response.parse(await (await admin(`/api/admin/users/${id}`)).json());
const refusedWith = async (answer: Response, status: number) => {
  expect(answer.status).toBe(status);
  return problemSchema.parse(await answer.json()).detail;
};

test('a deleted user is signed out immediately and cannot sign in again', async () => {
  expect((await remove(admin, ann.id)).status).toBe(204);
  expect(await idOf(ann.visitor)).toMatch(/^anonymous:/);
  const json = { username: 'ann', password: 'a long password of ann' };
  expect((await createVisitor(chat.server.url)('/api/auth/login', { json })).status).toBe(401);
  expect((await admin(`/api/admin/users/${ann.id}`)).status).toBe(404);
  const again = await signInNew(chat.server, admin, { username: 'ann', groups: [] });
  expect(again.id).not.toBe(ann.id);
});

test.each([
  ['delete', 200, { deleted: 2 }],
  ['keep', 404, { kept: 2 }],
] as const)(
  'deleting a user with the choice to %s their conversations does so, and is in the audit log',
  async (what, status, count) => {
    const { conversationId } = await takeTurn(ann.visitor, { message: 'First' });
    await takeTurn(ann.visitor, { message: 'Second' });
    expect(await get(ann.id)).toMatchObject({ username: 'ann', conversations: 2 });
    expect((await remove(admin, ann.id, `?conversations=${what}`)).status).toBe(204);
    // The ID is free again only after the conversation is deleted; a kept one cannot be read.
    expect((await admin(`/api/conversations/${conversationId}`)).status).toBe(404);
    const ben = await signInNew(chat.server, admin, { username: 'ben', groups: ['staff'] });
    const turn = await takeTurn(ben.visitor, { message: 'Mine', conversationId });
    expect(turn.status).toBe(status);
    const audit = await (await admin('/api/admin/audit?kind=user&limit=2')).json();
    expect(adminApi.audit.response.parse(audit).items[1]).toMatchObject({
      action: 'delete',
      target: 'ann',
      userName: 'Admin',
      before: { username: 'ann', disabled: false },
      after: { conversations: count },
    });
  },
);

test('a user deleted while their password is hashed gets no new one, and cannot sign in', async () => {
  const reset = admin(`/api/admin/users/${ann.id}/reset-password`, { json: {} });
  const json = { username: 'ann', password: 'a long password of ann' };
  const signIn = createVisitor(chat.server.url)('/api/auth/login', { json });
  expect((await remove(admin, ann.id)).status).toBe(204);
  expect([200, 404]).toContain((await reset).status);
  expect([200, 401]).toContain((await signIn).status);
});

test("requires a choice for the user's conversations", async () => {
  expect((await remove(admin, ann.id, '')).status).toBe(400);
  expect((await remove(admin, ann.id, '?conversations=sell')).status).toBe(400);
  expect((await get(ann.id)).disabled).toBe(false);
});

test('a running answer ends with its user', async () => {
  await chat.server.close();
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await chat.start([[async () => asked(), untilAborted]]);
  admin = await signInAdmin(chat.server);
  ann = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
  const turn = takeTurn(ann.visitor, { message: 'Go' });
  await isAsked;
  expect((await remove(admin, ann.id)).status).toBe(204);
  expect((await turn).events.at(-1)).toMatchObject({ type: 'done', finishReason: 'interrupted' });
  expect((await admin('/api/health')).status).toBe(200);
});

test('an administrator cannot delete themselves, the account admin, or the last administrator', async () => {
  const boss = await signInNew(chat.server, admin, { username: 'boss', groups: ['admins'] });
  const adminId = await idOf(admin);
  expect(await refusedWith(await remove(boss.visitor, boss.id), 409)).toContain('delete yourself');
  expect(await refusedWith(await remove(boss.visitor, adminId), 409)).toContain('created again');
  const mate = await signInNew(chat.server, admin, { username: 'mate', groups: ['admins'] });
  await admin(`/api/admin/users/${adminId}`, { method: 'PUT', json: { groups: [] } });
  const answers = await Promise.all([remove(boss.visitor, mate.id), remove(mate.visitor, boss.id)]);
  expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
});

test('only an administrator can delete users, and only existing ones', async () => {
  expect((await remove(ann.visitor, ann.id)).status).toBe(403);
  expect((await remove(chat.visitor, ann.id)).status).toBe(401);
  const unknown = '6e1b1a3c-3f0b-4a53-9b7e-0d5f6a1c2b3d';
  expect(await refusedWith(await remove(admin, unknown), 404)).toContain(unknown);
});

test('a running import of a deleted user ends, and leaves none of their data', async () => {
  const importId = randomUUID();
  const chats = Array.from({ length: 1500 }, (_, number) => ({
    uuid: `c-${number}`,
    chat_messages: [{ sender: 'human', text: `Question ${number}` }],
  }));
  const sent = { method: 'PUT', body: JSON.stringify(chats) };
  const headers = { 'content-type': 'application/octet-stream' };
  const running = ann
    .visitor(`/api/imports/${importId}?app=chat`, { ...sent, headers })
    .then(({ status }) => status)
    .catch(() => 'broken off');
  const progress = async () => (await ann.visitor(`/api/imports/${importId}`)).status;
  await expect.poll(progress, { interval: 5 }).toBe(200);
  expect((await remove(admin, ann.id)).status).toBe(204);
  expect(await running).not.toBe(201);
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  onTestFinished(() => database.destroy());
  const left = database.selectFrom('conversations').select('id').where('owner', '=', ann.id);
  expect(await left.execute()).toEqual([]);
});
