import type { Conversation } from '@knowhow/shared/chat/conversations';
import { expect, test } from 'vitest';
import { importBackup, manifestZip } from '../../testing/backup-calls.ts';
import { scriptedChat } from '../../testing/scripted-chat.ts';
import { says } from '../../testing/scripted-model.ts';
import { signInAdmin } from '../../testing/sign-in-admin.ts';
import { takeTurn } from '../../testing/take-turn.ts';

const chat = scriptedChat();

test.each(['admin\u0000x', 'a\u0007b', 'two\nlines', '\ud800', 'a\u009bb'])(
  'rejects a user called %j, by name and by display name',
  async (bad) => {
    await chat.start([says('Fine.')]);
    const admin = await signInAdmin(chat.server);
    const add = (user: object) =>
      admin('/api/admin/users', { json: { username: 'ann', name: 'Ann', groups: [], ...user } });
    for (const [path, user] of Object.entries({
      username: { username: bad },
      name: { name: bad },
    })) {
      const response = await add(user);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ issues: [{ path }] });
    }
    const { user } = (await (await add({})).json()) as { user: { id: string } };
    const path = `/api/admin/users/${user.id}`;
    expect((await admin(path, { method: 'PUT', json: { name: bad } })).status).toBe(400);
    const json = { username: bad, password: 'x' };
    expect((await admin('/api/auth/login', { json })).status).toBe(400);
  },
);

test("rejects a skill's display name with control characters or lone surrogates", async () => {
  await chat.start([says('Fine.')]);
  const admin = await signInAdmin(chat.server);
  const put = (displayName: string) =>
    admin('/api/admin/skills/meeting-notes', {
      method: 'PUT',
      json: { overrides: { displayName } },
    });
  for (const bad of ['a\u001b[31mb', 'two\nlines', '\ud800', 'a\u0000b']) {
    expect((await put(bad)).status, JSON.stringify(bad)).toBe(400);
  }
  expect((await put('')).status).toBe(200);
});

test('rejects a conversation title with control characters, and generates none', async () => {
  await chat.start([says('Fine.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A\u0007 b\u0000c\nd' });
  const path = `/api/conversations/${conversationId}`;
  expect(await chat.conversation(conversationId)).toMatchObject({ title: 'A bc d' });
  const rename = await chat.visitor(path, { method: 'PATCH', json: { title: 'a\u0000b' } });
  expect(rename.status).toBe(400);
});

test('text after a NUL character is kept, from a user or from a model', async () => {
  await chat.start([says('One\u0000 two.')]);
  const { conversationId, text } = await takeTurn(chat.visitor, { message: 'Before\u0000 after' });
  expect(text).toBe('One two.');
  const { messages } = await chat.conversation(conversationId);
  expect(messages.map(({ content }) => content)).toEqual(['Before after', 'One two.']);
  expect((await takeTurn(chat.visitor, { message: '\u0000 \u0000' })).status).toBe(400);
});

test('a lone surrogate does no harm', async () => {
  await chat.start([says('One \ud800 two.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'x \udc00 y' });
  const { messages } = await chat.conversation(conversationId);
  expect(messages.map(({ content }) => content)).toEqual(['x \ufffd y', 'One \ufffd two.']);
});

test('strips NUL from a prompt at any depth', async () => {
  await chat.start([says('Fine.')]);
  const admin = await signInAdmin(chat.server);
  const json = {
    id: 'p',
    name: 'P',
    prompt: { en: 'a\u0000b' },
    more: [{ deep: ['c\u0000d'] }],
  };
  const response = await admin('/api/admin/prompts/p', { method: 'PUT', json });
  expect(await response.json()).toMatchObject({
    config: { prompt: { en: 'ab' }, more: [{ deep: ['cd'] }] },
  });
});

test("a restored message keeps its text, and an earlier version's title becomes one line", async () => {
  await chat.start([says('Fine.')]);
  const admin = await signInAdmin(chat.server);
  const at = '2026-08-01T10:00:00.000Z';
  const { id: owner } = (await (await admin('/api/auth/me')).json()) as { id: string };
  const id = '9b0cb2a3-5f0e-4f9e-8f38-0f0f3d6b0a11';
  const conversation = { id, owner, app_id: 'chat', model: 'm', title: 'a\u0007b' };
  const message = { id, conversation_id: id, position: 0, role: 'user', status: 'complete' };
  const zip = manifestZip({
    'contents/apps/chat.json': { id: 'chat', name: 'Chat' },
    'data/conversations.jsonl': line({ ...conversation, created_at: at, updated_at: at }),
    'data/messages.jsonl': line({
      ...message,
      content: 'before\u0000 after',
      details: '{"skills":[]}',
      created_at: at,
    }),
  });
  await importBackup(admin, zip);
  const restored = (await (await admin(`/api/conversations/${id}`)).json()) as Conversation;
  expect(restored).toMatchObject({ title: 'a b', messages: [{ content: 'before after' }] });
  const found = await admin('/api/conversations?query=fter');
  expect(await found.json()).toMatchObject({ total: 1 });
});

function line(row: unknown): string {
  return `${JSON.stringify(row)}\n`;
}
