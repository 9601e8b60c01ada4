import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { expect, test } from 'vitest';
import { openGate } from '../../../testing/open-gate.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { type Step, says } from '../../../testing/scripted-model.ts';
import { modelWith } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const on = {
  'config/platform.json': { rateLimit: { requests: 0, turns: 0 }, titles: { byModel: true } },
};
const chat = scriptedChat(on);

/** A model that answers, and returns this as a title. */
function start(title: Step, files = {}) {
  return chat.start(
    ({ system }) => (system.includes('Write a title') ? title : says('It flies south.')),
    files,
  );
}

async function titleOf(id: string): Promise<string> {
  const path = `/api/conversations/${id}/title`;
  return (await parseAnswer(conversationsApi.title.response, chat.visitor(path))).title;
}

const message = 'What do herons do in winter?';

test('a model writes the title after the first answer, in one small request', async () => {
  await start(says('Herons in winter'));
  const { conversationId } = await takeTurn(chat.visitor, { message });
  expect(await titleOf(conversationId)).toBe('Herons in winter');
  const list = await chat.visitor('/api/conversations?query=herons%20in%20winter');
  expect(await list.json()).toMatchObject({ items: [{ title: 'Herons in winter' }] });
  expect(chat.model.requests).toHaveLength(2);
  expect(chat.model.requests[1]).toMatchObject({ tools: [], maxOutputTokens: 400 });
  await takeTurn(chat.visitor, { message: 'And in summer?', conversationId });
  expect(await titleOf(conversationId)).toBe('Herons in winter');
  expect(chat.model.requests).toHaveLength(3);
});

test.each([
  ['quotes, a mark and a full stop', '**"Herons in winter."**'],
  ['a heading', '# Title: Herons in winter\n'],
  ['direction marks', '\u202eHerons in\u00a0winter'],
])('strips %s around a title', async (_name, written) => {
  await start(says(written));
  const { conversationId } = await takeTurn(chat.visitor, { message });
  expect(await titleOf(conversationId)).toBe('Herons in winter');
});

test.each<[string, Step]>([
  ['nothing', says('  ""\n')],
  ['several lines', says('Here is a title:\n\nHerons in winter')],
  ['far too much text', says('Herons '.repeat(500))],
  ['a title that is too long', says('Herons '.repeat(20))],
  ['invisible characters', says('Herons\u0007 in winter')],
  ['an error', [new Error('The provider is away.')]],
])('after %s the first title stays', async (_name, step) => {
  await start(step);
  const { conversationId, events } = await takeTurn(chat.visitor, { message });
  expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
  expect(await titleOf(conversationId)).toBe(message);
  expect(chat.model.requests).toHaveLength(2);
});

test.each([
  ['the admin has not enabled it', { 'config/platform.json': {} }],
  ['the model is the demo model', modelWith({ provider: 'demo' })],
])('no title is requested where %s', async (_name, files) => {
  await start(says('Herons in winter'), files);
  const { conversationId } = await takeTurn(chat.visitor, { message });
  expect(await titleOf(conversationId)).toBe(message);
  expect(chat.model.requests).toHaveLength(1);
});

test("a user's own title stays, and no turn waits for the model's title", async () => {
  const gate = openGate();
  await start([() => gate.passed, ...says('Herons in winter')]);
  const { conversationId } = await takeTurn(chat.visitor, { message });
  const next = await takeTurn(chat.visitor, { message: 'And in summer?', conversationId });
  expect(next.events.at(-1)).toMatchObject({ type: 'done' });
  const path = `/api/conversations/${conversationId}`;
  await chat.visitor(path, { method: 'PATCH', json: { title: 'Mine' } });
  gate.open();
  expect(await titleOf(conversationId)).toBe('Mine');
});

test('a title that is being written ends with the server', async () => {
  let isEnded = false;
  const asked = openGate();
  await start([
    (signal) => {
      asked.open();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isEnded = true;
          reject(signal.reason);
        });
      });
    },
  ]);
  await takeTurn(chat.visitor, { message });
  await asked.passed;
  await chat.server.close();
  expect(isEnded).toBe(true);
});
