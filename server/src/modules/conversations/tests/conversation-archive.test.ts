import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();

async function list(query = '') {
  return parseAnswer(conversationsApi.list.response, chat.visitor(`/api/conversations${query}`));
}

async function titles(query?: string): Promise<string[]> {
  return (await list(query)).items.map(({ title }) => title);
}

async function begin(...messages: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const message of messages) {
    ids.push((await takeTurn(chat.visitor, { message })).conversationId);
  }
  return ids;
}

function change(id: string | undefined, json: unknown): Promise<Response> {
  return chat.visitor(`/api/conversations/${id}`, { method: 'PATCH', json });
}

test('pinned conversations come first, also across pages', async () => {
  await chat.start([says('Fine.')]);
  const [first] = await begin('One', 'Two', 'Three');
  expect(await (await change(first, { pinned: true })).json()).toMatchObject({ isPinned: true });
  expect(await titles()).toEqual(['One', 'Three', 'Two']);
  const page = await list('?limit=1');
  expect(page).toMatchObject({ items: [{ title: 'One', isPinned: true }], total: 3 });
  expect(await titles(`?limit=5&cursor=${page.nextCursor}`)).toEqual(['Three', 'Two']);
  await change(first, { pinned: false });
  expect(await titles()).toEqual(['Three', 'Two', 'One']);
});

test('an archived conversation appears only in the archive and in a search, until restored or continued', async () => {
  await chat.start([says('Fine.')]);
  const [first = '', second = ''] = await begin('One', 'Two');
  await change(first, { pinned: true });
  await change(first, { archived: true });
  await change(second, { archived: true });
  expect(await list()).toEqual({ items: [], total: 0 });
  expect(await titles('?archived=true')).toEqual(['Two', 'One']);
  expect((await list('?query=one')).items).toMatchObject([{ title: 'One', isArchived: true }]);
  expect(await titles('?query=one&archived=false')).toEqual([]);
  await change(second, { archived: false });
  expect(await titles()).toEqual(['Two']);
  await takeTurn(chat.visitor, { message: 'And then?', conversationId: first });
  expect(await list()).toMatchObject({ items: [{ title: 'One' }, { title: 'Two' }] });
  expect((await list()).items[0]).not.toHaveProperty('isPinned');
});

test('rejects an empty or unknown change', async () => {
  await chat.start([says('Fine.')]);
  const [id] = await begin('One');
  expect((await change(id, {})).status).toBe(400);
  expect((await change(id, { pinned: 1 })).status).toBe(400);
  expect((await change(id, { place: 'x' })).status).toBe(400);
});
