import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { otherTokenizer } from '../../../testing/other-tokenizer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says, untilAborted } from '../../../testing/scripted-model.ts';
import { shortenTimeouts } from '../../../testing/shorten-timeouts.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import type { ModelRequest } from '../../models/model.ts';

const texts = {
  english: 'The team met on Monday and decided to move the launch by two weeks. ',
  german: 'Das Team hat am Montag beschlossen, den Start um zwei Wochen zu verschieben. ',
  chinese: '团队在星期一开会，决定将发布推迟两个星期，以便完成剩余的测试工作。',
  code: 'export const sum = (a: number[]): number => a.reduce((x, y) => x + y, 0); // {"k": [1, 2]}\n',
};
type Language = keyof typeof texts;

const chat = scriptedChat({
  'skills/brief/SKILL.md': skillFile('brief', 'Makes it short.', 'Be brief.'),
  'skills/brief/references/a.md': texts.english.repeat(400),
  'skills/long/SKILL.md': skillFile('long', 'Is long.', texts.english.repeat(3000)),
});

const models = (contextWindow: number, config: Record<string, unknown> = {}) =>
  modelWith({ contextWindow, ...config });

const tokensIn = otherTokenizer();
const countOf = ({ system, tools, messages }: ModelRequest) =>
  tokensIn(system + JSON.stringify(tools) + JSON.stringify(messages));
const largest = () => Math.max(...chat.model.requests.map(countOf));
const isSummary = ({ system }: ModelRequest) => system.startsWith('Below is the beginning');

const activate = (skill_name: string) => calls(['activate_skill', { skill_name }]);
const read = calls(['read_skill_resource', { skill_name: 'brief', file_path: 'references/a.md' }]);

/** A model that reads a file in each turn; its steps depend on the request. */
function reading(text: string): Step[] {
  return Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? read : says(text)));
}

describe.each([2000, 8000, 128_000])('in a window of %i tokens', (window) => {
  test.each(Object.keys(texts) as Language[])(
    'no request is too long in %s, and no skill is lost',
    { timeout: 60_000 },
    async (language) => {
      const text = texts[language].repeat(6);
      await chat.start(reading(text), models(window, { maxOutputTokens: window / 8 }));
      const conversationId = randomUUID();
      for (let turn = 0; turn < 25; turn += 1) {
        const { events } = await takeTurn(chat.visitor, {
          message: texts[language].repeat(4),
          conversationId,
          ...(turn === 0 ? { skills: ['brief'] } : {}),
        });
        expect(events.at(-1)).toMatchObject({ type: 'done' });
      }
      expect(largest()).toBeLessThanOrEqual(window - window / 8);
      for (const [at, request] of chat.model.requests.entries()) {
        if (!isSummary(request)) {
          expect(chat.sent(at).split('<skill_content name="brief">')).toHaveLength(2);
        }
      }
    },
  );
});

test('a provider that counts more tokens than we estimate is not sent too many', async () => {
  const window = 8000;
  const counted = (request: ModelRequest) => Math.round(1.6 * countOf(request));
  const answerTo = (request: ModelRequest): Step => [
    { type: 'text', text: isSummary(request) ? 'They met.' : texts.english.repeat(20) },
    { type: 'usage', inputTokens: counted(request), outputTokens: 300 },
    { type: 'stop', reason: 'stop' },
  ];
  await chat.start(answerTo, models(window, { maxOutputTokens: window / 8 }));
  const conversationId = randomUUID();
  for (let turn = 0; turn < 25; turn += 1) {
    const { events } = await takeTurn(chat.visitor, { message: texts.english, conversationId });
    expect(events.at(-1)).toMatchObject({ type: 'done' });
  }
  expect(Math.max(...chat.model.requests.map(counted))).toBeLessThanOrEqual(window - window / 8);
  const { messages } = await readConversation(chat.visitor, conversationId);
  expect(messages[1]).toMatchObject({
    modelCalls: [{ inputTokens: expect.any(Number), estimated: expect.any(Number) }],
  });
});

test('results of earlier turns are cleared first, with a note on how to get them again', async () => {
  await chat.start(reading('Fine.'), models(16_000));
  const conversationId = randomUUID();
  const notices: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const { events } = await takeTurn(chat.visitor, {
      message: `Question ${turn}`,
      conversationId,
      ...(turn === 0 ? { skills: ['brief'] } : {}),
    });
    notices.push(...events.flatMap((each) => (each.type === 'notice' ? each.code : [])));
  }
  expect(notices.length).toBeGreaterThan(0);
  expect(new Set(notices)).toEqual(new Set(['results-cleared']));
  const last = chat.sent(chat.model.requests.length - 1);
  expect(last).toContain(
    'This result was removed to save space. Call read_skill_resource again with {"skill_name":"brief","file_path":"references/a.md"} when it is needed.',
  );
  expect(last).toContain('Question 0');
  const { messages, leftOut } = await readConversation(chat.visitor, conversationId);
  expect(leftOut).toBeUndefined();
  expect(
    messages.flatMap((each) => (each.role === 'assistant' ? (each.notices ?? []) : [])),
  ).toContain('results-cleared');
});

const answer = texts.english.repeat(40);
/** A model with long answers, which also summarizes on request. */
const talking = (summary: Step) => (request: ModelRequest) =>
  isSummary(request) ? summary : says(answer);

test('older messages are summarised, stay so, and can still be read', async () => {
  await chat.start(talking(says('They moved the launch.')), models(4000));
  const conversationId = randomUUID();
  let codes: string[] = [];
  let turns = 0;
  while (!codes.includes('summarised') && turns < 6) {
    turns += 1;
    const { events } = await takeTurn(chat.visitor, {
      message: `Question ${turns}`,
      conversationId,
    });
    codes = events.flatMap((each) => (each.type === 'notice' ? each.code : []));
  }
  expect(codes).toEqual(['summarising', 'summarised']);
  const summary = chat.model.requests.findIndex(isSummary);
  expect(chat.model.requests[summary]).toMatchObject({ tools: [] });
  expect(chat.sent(summary)).toContain('Question 1');
  const before = chat.model.requests.at(-1)?.messages ?? [];
  expect(before[0]?.content).toMatch(/This is a summary of them:\n\nThey moved the launch\./);
  expect(before[0]?.content).not.toContain('Question 1');

  const { messages, leftOut } = await readConversation(chat.visitor, conversationId);
  expect(messages[0]?.content).toBe('Question 1');
  expect(leftOut?.summary).toBe('They moved the launch.');
  expect(messages.some(({ id }) => id === leftOut?.before)).toBe(true);

  await takeTurn(chat.visitor, { message: 'Short.', conversationId });
  expect(chat.model.requests.at(-1)?.messages.slice(0, before.length)).toEqual(before);
  const replaces = messages[0]?.id ?? '';
  await takeTurn(chat.visitor, { message: 'Instead.', conversationId, replaces });
  expect((await readConversation(chat.visitor, conversationId)).leftOut).toBeUndefined();
  expect(chat.model.requests.at(-1)?.messages).toEqual([{ role: 'user', content: 'Instead.' }]);
});

test.each<[string, Step]>([
  ['fails', [new Error('gone')]],
  ['is empty', says('  ')],
  ['never ends', [untilAborted]],
])(
  'a summary that %s is discarded: the oldest messages are dropped, and the user is told',
  async (_, step) => {
    shortenTimeouts();
    await chat.start(talking(step), models(4000));
    const conversationId = randomUUID();
    let codes: string[] = [];
    for (let turn = 1; codes.length === 0 && turn < 6; turn += 1) {
      const { events } = await takeTurn(chat.visitor, {
        message: `Question ${turn}`,
        conversationId,
      });
      codes = events.flatMap((each) => (each.type === 'notice' ? each.code : []));
      expect(events.at(-1)).toMatchObject({ type: 'done' });
    }
    expect(codes).toEqual(['summarising', 'left-out']);
    expect(chat.model.requests.at(-1)?.messages[0]?.content).toContain(
      'are omitted because they do not fit.',
    );
  },
);

test('a summary is no longer sent once a skill it may mention is withdrawn', async () => {
  await chat.start(talking(says('A brief summary.')), models(4000));
  const conversationId = randomUUID();
  let leftOut: unknown;
  for (let turn = 1; leftOut === undefined && turn < 7; turn += 1) {
    await takeTurn(chat.visitor, {
      message: `Question ${turn}`,
      conversationId,
      ...(turn === 1 ? { skills: ['brief'] } : {}),
    });
    ({ leftOut } = await readConversation(chat.visitor, conversationId));
  }
  expect(chat.sent(chat.model.requests.length - 1)).toContain('A brief summary.');
  await takeTurn(chat.visitor, { message: 'A', conversationId, skillsOff: ['brief'] });
  expect(chat.sent(chat.model.requests.length - 1)).not.toContain('A brief summary.');
});

test('a skill that exceeds its share is read in parts', async () => {
  await chat.start(
    [
      activate('long'),
      calls(['read_skill_resource', { skill_name: 'long', file_path: 'SKILL.md' }]),
      says('Done.'),
    ],
    models(8000),
  );
  const { events } = await takeTurn(chat.visitor, { message: 'A' });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'skill.activation', name: 'long' }),
  );
  expect(chat.sent(1)).toMatch(
    /<skill_content name="long">\nIs long\.\n\nThe instructions of this/,
  );
  expect(chat.sent(2)).toMatch(/\[Bytes 0 to \d+ of \d+\. Next: offset \d+\.\]/);
  expect(largest()).toBeLessThan(6000);
});

test('a message that exceeds the context window is rejected before it is stored', async () => {
  await chat.start([says('One.')], models(8000));
  const conversationId = randomUUID();
  const { status, body } = await takeTurn(chat.visitor, {
    message: texts.chinese.repeat(600),
    conversationId,
  });
  expect(status).toBe(413);
  expect(body).toMatch(/too long for this model: it has about \d+ tokens/);
  expect((await chat.visitor(`/api/conversations/${conversationId}`)).status).toBe(404);
});

test('the demo model is asked for no summary', async () => {
  await chat.start(talking(says('A summary.')), models(4000, { provider: 'demo' }));
  const conversationId = randomUUID();
  for (let turn = 1; turn < 6; turn += 1) {
    await takeTurn(chat.visitor, { message: `Question ${turn}`, conversationId });
  }
  expect(chat.model.requests.filter(isSummary)).toEqual([]);
  const { leftOut } = await readConversation(chat.visitor, conversationId);
  expect(leftOut).toEqual({ before: expect.any(String) });
});
