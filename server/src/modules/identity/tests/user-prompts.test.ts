import { promptsApi } from '@knowhow/shared/chat/prompts';
import { sharedPromptsApi, userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { adminApi } from '@knowhow/shared/config/admin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { rightsFiles, signInAgain, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;
let mia: Visitor;
let ben: Visitor;
let ida: Visitor;

beforeAll(async () => {
  server = await startTestServer({ files: rightsFiles });
  admin = await signInAdmin(server);
  const user = async (username: string, groups: string[]) =>
    (await signInNew(server, admin, { username, groups })).visitor;
  mia = await user('mia', ['staff']);
  ben = await user('ben', ['staff']);
  ida = await user('ida', ['interns']);
});
afterAll(() => server.close());

const reply = {
  name: 'Reply',
  text: 'Answer [letter] as [Straße].\n- [x] [1] [a link](b)',
  groups: [],
};
const create = (visitor: Visitor, json: Record<string, unknown> = {}) =>
  visitor('/api/account/prompts', { json: { ...reply, ...json } });
const createPrompt = (visitor: Visitor, json = {}) =>
  parseAnswer(userPromptsApi.create.response, create(visitor, json));
const change = (visitor: Visitor, id: string, json = {}) =>
  visitor(`/api/account/prompts/${id}`, { method: 'PUT', json: { ...reply, ...json } });
const own = (visitor: Visitor) =>
  parseAnswer(userPromptsApi.list.response, visitor('/api/account/prompts'));
const offered = async (visitor: Visitor) => {
  const { items } = await parseAnswer(promptsApi.list.response, visitor('/api/prompts?limit=200'));
  return items.filter(({ id }) => id.startsWith('own:'));
};

test("a user's own prompt is offered only to them, with its placeholders, until it is deleted", async () => {
  const { id } = await createPrompt(mia);
  expect(await offered(mia)).toEqual([
    {
      ...{ id: `own:${id}`, name: 'Reply', own: true, prompt: reply.text },
      description: 'Answer [letter] as [Straße]. - [x] [1] [a link](b)',
      variables: [
        expect.objectContaining({ name: 'letter', type: 'text', required: false }),
        expect.objectContaining({ name: 'Straße' }),
      ],
    },
  ]);
  expect(await offered(ben)).toEqual([]);
  expect((await own(ben)).items).toEqual([]);
  for (const refused of [
    change(ben, id),
    ben(`/api/account/prompts/${id}`, { method: 'DELETE' }),
  ]) {
    expect((await parseProblem(refused)).status).toBe(404);
  }
  const favourite = { kind: 'prompt', id: `own:${id}`, isFavourite: true };
  expect((await mia('/api/favourites', { method: 'PUT', json: favourite })).status).toBe(204);
  expect((await change(mia, id, { name: 'Reply soon' })).status).toBe(200);
  expect((await own(mia)).items).toMatchObject([{ name: 'Reply soon', text: reply.text }]);
  expect((await mia(`/api/account/prompts/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await offered(mia)).toEqual([]);
});

test('a shared prompt is offered to members of that group, until its owner or an admin ends it', async () => {
  expect((await own(mia)).groups).toEqual([{ id: 'staff', name: 'Staff' }]);
  expect((await parseProblem(create(mia, { groups: ['interns'] }))).issues).toMatchObject([
    { path: 'groups.0', message: 'You are not in a group "interns".' },
  ]);
  const { id } = await createPrompt(mia, { groups: ['staff'] });
  expect(await offered(ben)).toMatchObject([
    { name: 'Reply', sharedBy: 'mia', prompt: reply.text },
  ]);
  expect((await offered(ben))[0]).not.toHaveProperty('own');
  expect(await offered(ida)).toEqual([]);
  expect((await parseProblem(change(ben, id))).status).toBe(404);

  const listed = await parseAnswer(
    sharedPromptsApi.list.response,
    admin('/api/admin/shared-prompts'),
  );
  expect(listed.items).toMatchObject([{ id, name: 'Reply', owner: 'mia', groups: ['staff'] }]);
  const end = () => admin(`/api/admin/shared-prompts/${id}`, { method: 'DELETE' });
  expect((await end()).status).toBe(204);
  expect((await end()).status).toBe(404);
  expect(await offered(ben)).toEqual([]);
  expect((await own(mia)).items).toMatchObject([{ id, groups: [] }]);
  const log = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?kind=prompt'));
  expect(log.items[0]).toMatchObject({ action: 'revoked', target: 'Reply' });
});

test.each<[string, object]>([
  ['is disabled', { disabled: true }],
  ['has left the group', { groups: ['interns'] }],
])('a shared prompt is hidden while its owner %s', async (state, json) => {
  const username = `zoe-${state.replaceAll(' ', '-')}`;
  const owner = await signInNew(server, admin, { username, groups: ['staff'] });
  await createPrompt(owner.visitor, { name: username, groups: ['staff'] });
  const names = async () => (await offered(ben)).map(({ name }) => name);
  const put = (change: object) =>
    admin(`/api/admin/users/${owner.id}`, { method: 'PUT', json: change });
  expect(await names()).toContain(username);
  expect((await put(json)).status).toBe(200);
  expect(await names()).not.toContain(username);
  expect((await put({ disabled: false, groups: ['staff'] })).status).toBe(200);
  expect(await names()).toContain(username);
  expect((await put(json)).status).toBe(200);
});

test('they are limited, require an account, and are part of backups and user deletion', async () => {
  expect((await create(ben, { text: 'a'.repeat(8001) })).status).toBe(400);
  expect((await create(ben, { name: ' ' })).status).toBe(400);
  expect((await create(server.visitor())).status).toBe(403);
  const many = await Promise.all(Array.from({ length: 203 }, () => create(ben)));
  expect(many.filter(({ status }) => status === 200)).toHaveLength(200);
  expect((await parseProblem(create(ben))).code).toBe('conflict');

  await createPrompt(mia, { name: 'Kept', groups: ['staff'] });
  const zip = await exportBackup(admin, '?data=true');
  const { items } = await own(mia);
  for (const { id } of items) {
    await mia(`/api/account/prompts/${id}`, { method: 'DELETE' });
  }
  await importBackup(admin, zip);
  const { visitor } = await signInAgain(server, 'mia');
  expect((await own(visitor)).items).toEqual(items);
});
