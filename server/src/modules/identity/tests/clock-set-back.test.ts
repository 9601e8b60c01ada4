import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { adminApi } from '@knowhow/shared/config/admin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importBackup, manifestZip } from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();
const hour = 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

function setClockBack(): void {
  vi.setSystemTime(Date.now() - hour);
}

test('a continued conversation keeps its position, messages and skills in order', async () => {
  await chat.start([says('Fine.')]);
  await takeTurn(chat.visitor, { message: 'Older' });
  vi.setSystemTime(Date.now() + 1000);
  const skills = ['release-notes'];
  const { conversationId } = await takeTurn(chat.visitor, { message: 'Newer', skills });
  setClockBack();
  const again = { message: 'Again', conversationId, skills: ['meeting-notes'] };
  expect((await takeTurn(chat.visitor, again)).status).toBe(200);
  const list = chat.visitor('/api/conversations');
  const { items } = await parseAnswer(conversationsApi.list.response, list);
  expect(items.map(({ title }) => title)).toEqual(['Newer', 'Older']);
  const { messages, activeSkills } = await chat.conversation(conversationId);
  const times = messages.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted());
  expect(activeSkills.map(({ name }) => name)).toEqual(['release-notes', 'meeting-notes']);
});

test('the audit log stays in chronological order, also after a restart', async () => {
  await chat.start([says('Fine.')]);
  const put = async (id: string, admin = signInAdmin(chat.server)) =>
    (await admin)(`/api/admin/prompts/${id}`, {
      method: 'PUT',
      json: { id, name: id, prompt: 'Write.' },
    });
  await put('first');
  await chat.server.close();
  setClockBack();
  chat.server = await startTestServer({ folder: chat.server.folder });
  await put('second');
  await put('third');
  const admin = await signInAdmin(chat.server);
  const log = await parseAnswer(
    adminApi.audit.response,
    admin('/api/admin/audit?kind=prompt&limit=3'),
  );
  expect(log.items.map(({ target }) => target)).toEqual(['third', 'second', 'first']);
});

test('the state before a restore is kept as the newest snapshot', async () => {
  await chat.start([says('Fine.')]);
  const admin = await signInAdmin(chat.server);
  const restore = async (name: string) => {
    const app = { id: 'chat', name, system: 'Help.' };
    return (await importBackup(admin, manifestZip({ 'contents/apps/chat.json': app }))).snapshot;
  };
  for (const name of ['1', '2', '3', '4', '5']) {
    await restore(name);
  }
  setClockBack();
  const made = await restore('6');
  const list = await admin('/api/admin/backup/snapshots');
  const { items } = (await list.json()) as { items: { id: string }[] };
  expect(items).toHaveLength(5);
  expect(items[0]?.id).toBe(made);
});

test('an exhausted rate limit of a minute does not last an hour', async () => {
  await chat.start([says('Fine.')], {
    'config/platform.json': { rateLimit: { requests: 3, turns: 0 } },
  });
  const ask = async () => (await chat.visitor('/api/apps')).status;
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429]);
  setClockBack();
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429]);
});
