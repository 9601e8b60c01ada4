import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { expect, test } from 'vitest';
import { measureLongestPause } from '../../../testing/measure-longest-pause.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const chat = scriptedChat();

async function search(query: string, visitor: Visitor = chat.visitor) {
  const path = `/api/conversations?query=${encodeURIComponent(query)}`;
  return parseAnswer(conversationsApi.list.response, visitor(path));
}

async function titles(query: string, visitor?: Visitor): Promise<string[]> {
  return (await search(query, visitor)).items.map(({ title }) => title);
}

test.each([
  ['a word', 'Budget', 'budget'],
  ['the beginning of a word', 'Budget', 'bud'],
  ['the middle of a word', 'Donaudampfschifffahrt', 'schiff'],
  ['a letter', 'Plan B', 'b'],
  ['two letters', 'EU rules', 'eu'],
  ['Chinese', '二零二五年预算报告', '预算'],
  ['one Chinese character', '二零二五年预算报告', '算'],
  ['non-ASCII capitals', 'ÜBERSICHT ΟΔΟΣ', 'übersicht οδος'],
  ['letters without their accents', 'Résumé für Zoë', 'resume fur'],
  ['standalone accents', 'Re\u0301sume\u0301', 'résumé'],
  ['Japanese marks', 'ガイドブック', 'ガイド'],
  ['words in another order', 'The plan of the budget', 'budget plan'],
  ['an emoji', 'Ship it 🚀🚀🚀 now', '🚀🚀🚀'],
  [
    'characters with a meaning in SQL',
    '50% of a_b "quoted" (NEAR) ^x* -y',
    '50% a_b "quoted" (NEAR) ^x* -y',
  ],
])('a search finds %s', async (_name, message, query) => {
  await chat.start([says('Fine.')]);
  await takeTurn(chat.visitor, { message });
  await takeTurn(chat.visitor, { message: 'Something else entirely' });
  expect(await search(query)).toMatchObject({ items: [{ title: message }], total: 1 });
});

test.each([
  '"',
  '""',
  '*',
  'NEAR(a b)',
  'a AND',
  '^a',
  '-a',
  'text:a',
  "'",
  '%',
  '_',
  '\\',
  '\u0000xyz',
])('a search for %j is literal', async (query) => {
  await chat.start([says('Fine.')]);
  await takeTurn(chat.visitor, { message: 'Hello' });
  expect(await search(query)).toEqual({ items: [], total: 0 });
});

test('rejects a search of more than 200 characters', async () => {
  await chat.start([says('Fine.')]);
  const response = await chat.visitor(`/api/conversations?query=${'x'.repeat(201)}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ issues: [{ path: 'query' }] });
});

test('a search sees new, replaced, renamed and deleted texts', async () => {
  await chat.start([says('The first answer.'), says('The second answer.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'Question' });
  expect(await titles('first')).toHaveLength(1);
  const [user] = (await chat.conversation(conversationId)).messages;
  await takeTurn(chat.visitor, { message: 'Other', conversationId, replaces: user?.id ?? '' });
  // Replaced text is a branch that can be restored.
  for (const query of ['question', 'first', 'second']) {
    expect(await titles(query)).toEqual(['Other']);
  }
  const path = `/api/conversations/${conversationId}`;
  await chat.visitor(path, { method: 'PATCH', json: { title: 'Zebra' } });
  expect(await titles('zebra')).toEqual(['Zebra']);
  expect((await chat.visitor(path, { method: 'DELETE' })).status).toBe(204);
  expect(await titles('zebra')).toEqual([]);
  for (const query of ['question', 'first', 'second']) {
    expect(await titles(query)).toEqual([]);
  }
});

test.each([
  [
    'both words, in the other order',
    `${'The plan. '.repeat(90)}It is the **budget** of the plan`,
    'plan budget',
    /^….*It is the budget of the plan$/,
    ['plan', 'plan', 'plan', 'budget', 'plan'],
  ],
  [
    'letters whose length changes without case and accents',
    `${'한국어 '.repeat(2000)}Ré\u0301sumé der Übersicht`,
    'RESUME ubers',
    /Ré\u0301sumé der Übersicht$/,
    ['Ré\u0301sumé', 'Übers'],
  ],
  [
    'Markdown if the query contains it',
    'See `a_b` | **c**',
    '`a',
    /^See `a_b` \| \*\*c\*\*$/,
    ['`a'],
  ],
  ['whole emoji', `${'🚀'.repeat(200)}x`, 'x', /^…🚀+x$/u, ['x']],
])('the excerpt of a message has %s', async (_name, message, query, text, marked) => {
  await chat.start([says('Fine.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'Hello' });
  await takeTurn(chat.visitor, { message, conversationId });
  const { messages } = await chat.conversation(conversationId);
  const [found] = (await search(query)).items;
  expect(found?.hit?.messageId).toBe(messages[2]?.id);
  expect(found?.hit?.text).toMatch(text);
  expect(found?.hit?.text.length).toBeLessThan(250);
  expect(found?.hit?.marks.map(({ from, to }) => found.hit?.text.slice(from, to))).toEqual(marked);
});

test('a conversation found only by its title shows no message', async () => {
  await chat.start([says('Fine.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'Hello' });
  const path = `/api/conversations/${conversationId}`;
  await chat.visitor(path, { method: 'PATCH', json: { title: 'Zebra' } });
  const [found] = (await search('zebra')).items;
  expect(found?.title).toBe('Zebra');
  expect(found).not.toHaveProperty('hit');
});

test('a search finds nothing of other users', async () => {
  await chat.start([says('Fine.')]);
  await takeTurn(chat.visitor, { message: 'Secret plans' });
  const stranger = chat.server.visitor();
  await takeTurn(stranger, { message: 'Other plans' });
  expect(await titles('plans', stranger)).toEqual(['Other plans']);
  expect(await titles('se', stranger)).toEqual([]);
});

test('pages of a search continue where the previous one ended', async () => {
  await chat.start([says('Fine.')]);
  for (let at = 0; at < 5; at += 1) {
    await takeTurn(chat.visitor, { message: `Plan ${at}` });
  }
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await parseAnswer(
      conversationsApi.list.response,
      chat.visitor(`/api/conversations?query=plan&limit=2${cursor}`),
    );
    expect(page.total).toBe(5);
    seen.push(...page.items.map(({ title }) => title));
    cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
  } while (cursor !== '');
  expect(seen).toEqual(['Plan 4', 'Plan 3', 'Plan 2', 'Plan 1', 'Plan 0']);
});

test('the worst search does not block others', { timeout: 60_000 }, async () => {
  await chat.start([says('Fine.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'Long' });
  for (let at = 0; at < 30; at += 1) {
    await takeTurn(chat.visitor, { message: 'a'.repeat(100_000), conversationId });
  }
  for (const query of [`${'a'.repeat(100)}b${'a'.repeat(99)}`, 'a'.repeat(200), 'é', 'aaa aab']) {
    const longest = await measureLongestPause(() => search(query));
    expect(longest, query).toBeLessThan(300);
  }
});

test('too many concurrent searches are rejected with the time to retry', async () => {
  await startLong();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => chat.visitor(`/api/conversations?query=${slowest}`)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await search('nothing')).total).toBe(0);
});

test('a search whose client has disconnected does not block others', async () => {
  await startLong();
  const started = performance.now();
  await search(slowest);
  const alone = performance.now() - started;
  const leaving = new AbortController();
  const left = Array.from({ length: 8 }, () =>
    chat.visitor(`/api/conversations?query=${slowest}`, { signal: leaving.signal }),
  );
  await chat.visitor('/api/auth/me');
  leaving.abort();
  await Promise.allSettled(left);
  const next = performance.now();
  // The server may see this request before it notices the disconnects.
  await waitFor(async () => (await chat.visitor(`/api/conversations?query=${slowest}`)).ok);
  expect(performance.now() - next).toBeLessThan(alone * 4);
});

/** Every text is scanned for a letter that occurs in none. */
const slowest = 'z';

/** A conversation that is slow to search. */
async function startLong(): Promise<void> {
  await chat.start([says('Fine.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'Long' });
  for (let at = 0; at < 10; at += 1) {
    await takeTurn(chat.visitor, { message: 'é'.repeat(99_000), conversationId });
  }
}
