import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../testing/backup-calls.ts';
import { scriptedChat } from '../testing/scripted-chat.ts';
import { says } from '../testing/scripted-model.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { takeTurn } from '../testing/take-turn.ts';

const chat = scriptedChat();

async function answered() {
  await chat.start([says('One.'), says('Two.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  const [question, answer] = (await chat.conversation(conversationId)).messages;
  return { conversationId, question: question?.id ?? '', answer: answer?.id ?? '' };
}
const give = (id: string, json: unknown, visitor = chat.visitor) =>
  visitor(`/api/messages/${id}/feedback`, { method: 'PUT', json });
const given = async (conversationId: string) =>
  (await chat.conversation(conversationId)).messages.map((message) =>
    message.role === 'assistant' ? message.feedback : 'asked',
  );

test('a thumb with its reason stays with the answer, changes, and is taken back', async () => {
  const { conversationId, answer } = await answered();
  expect(await given(conversationId)).toEqual(['asked', undefined]);
  expect((await give(answer, { value: 'down', reason: ' Too\u0000 short ' })).status).toBe(204);
  expect(await given(conversationId)).toEqual(['asked', { value: 'down', reason: 'Too short' }]);
  await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(await given(conversationId)).toEqual([
    'asked',
    { value: 'down', reason: 'Too short' },
    'asked',
    undefined,
  ]);
  await give(answer, { value: 'up' });
  expect((await given(conversationId))[1]).toEqual({ value: 'up' });
  await give(answer, { value: null });
  expect((await given(conversationId))[1]).toBeUndefined();
});

test('only an answer of one’s own can be judged, and only up or down', async () => {
  const { question, answer } = await answered();
  const other = chat.server.visitor();
  const refused = [
    [question, { value: 'up' }, chat.visitor, 404],
    [randomUUID(), { value: 'up' }, chat.visitor, 404],
    [answer, { value: 'up' }, other, 404],
    ['none', { value: 'up' }, chat.visitor, 400],
    [answer, { value: 'sideways' }, chat.visitor, 400],
    [answer, { value: 'up', reason: 'x'.repeat(2001) }, chat.visitor, 400],
    [answer, { value: 'up', stars: 5 }, chat.visitor, 400],
    [answer, {}, chat.visitor, 400],
  ] as const;
  for (const [id, json, visitor, status] of refused) {
    const response = await give(id, json, visitor);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      expect.stringContaining('application/problem+json'),
    ]);
  }
});

test('a backup brings it back', async () => {
  const { conversationId, answer } = await answered();
  await give(answer, { value: 'up', reason: 'Clear' });
  const admin = await signInAdmin(chat.server);
  const backup = await exportBackup(admin, '?data=true');
  await give(answer, { value: null });
  await importBackup(admin, backup);
  expect((await given(conversationId))[1]).toEqual({ value: 'up', reason: 'Clear' });
});
