import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { foldersApi } from '@knowhow/shared/chat/folders';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();

const foldersOf = async (visitor: Visitor) => {
  const { items } = await parseAnswer(foldersApi.list.response, visitor('/api/folders'));
  return items.map(({ name, conversations }) => `${name} ${conversations}`);
};

const titles = async (visitor: Visitor, query: string) => {
  const path = `/api/conversations${query}`;
  const { items } = await parseAnswer(conversationsApi.list.response, visitor(path));
  return items.map(({ title }) => title);
};

const change = (visitor: Visitor, id: string, json: object) =>
  visitor(`/api/conversations/${id}`, { method: 'PATCH', json });

test('conversations are moved into folders, which are renamed, merged and deleted without them', async () => {
  await chat.start([says('Fine.')]);
  const admin = await signInAdmin(chat.server);
  const begin = async (message: string) => (await takeTurn(admin, { message })).conversationId;
  const [a, b, c] = [await begin('A'), await begin('B'), await begin('C')];
  const moved = await change(admin, a, { folder: '  Projects / 2026 ' });
  expect(await moved.json()).toMatchObject({ folder: 'Projects / 2026' });
  await change(admin, b, { folder: 'Ärger' });
  expect(await foldersOf(admin)).toEqual(['Ärger 1', 'Projects / 2026 1']);
  expect(await titles(admin, '')).toEqual(['C', 'B', 'A']);
  expect(await titles(admin, '?folder=')).toEqual(['C']);
  const inProjects = `?folder=${encodeURIComponent('Projects / 2026')}`;
  expect(await titles(admin, inProjects)).toEqual(['A']);

  // A later turn, a branch and the archive do not move it.
  await takeTurn(admin, { message: 'More', conversationId: a });
  await change(admin, b, { archived: true });
  expect(await foldersOf(admin)).toEqual(['Projects / 2026 1']);
  await change(admin, b, { archived: false });

  const stranger = chat.server.visitor();
  await stranger('/api/auth/me');
  const path = `/api/folders/${encodeURIComponent('Projects / 2026')}`;
  expect(await foldersOf(stranger)).toEqual([]);
  expect((await stranger(path, { method: 'DELETE' })).status).toBe(404);

  const backup = await exportBackup(admin, '?data=true');
  const rename = await admin(path, { method: 'PATCH', json: { name: 'Ärger' } });
  expect(rename.status).toBe(204);
  expect(await foldersOf(admin)).toEqual(['Ärger 2']);
  expect((await admin('/api/folders/%C3%84rger', { method: 'DELETE' })).status).toBe(204);
  expect(await foldersOf(admin)).toEqual([]);
  expect(await titles(admin, '?folder=')).toEqual(['A', 'C', 'B']);
  await change(admin, c, { folder: 'X' });
  expect((await change(admin, c, { folder: null })).status).toBe(200);
  expect(await foldersOf(admin)).toEqual([]);
  for (const folder of ['', 'a\nb', 'x'.repeat(81), 7]) {
    expect((await change(admin, c, { folder })).status).toBe(400);
  }

  await importBackup(admin, backup);
  expect(await foldersOf(await signInAdmin(chat.server))).toEqual(['Ärger 1', 'Projects / 2026 1']);
});
