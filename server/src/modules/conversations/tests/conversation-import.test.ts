import { randomUUID } from 'node:crypto';
import {
  conversationImportApi,
  importReportSchema,
} from '@knowhow/shared/chat/conversation-import';
import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { expect, onTestFinished, test } from 'vitest';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { rawZip } from '../../../testing/raw-zip.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';

async function start() {
  const server = await startTestServer();
  onTestFinished(server.close);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  return { server, visitor };
}

const send = (visitor: Visitor, path: string, method: string, body: string | Uint8Array) =>
  visitor(path, { method, body, headers: { 'content-type': 'application/octet-stream' } });
const plan = (visitor: Visitor, file: unknown) =>
  parseAnswer(importReportSchema, send(visitor, '/api/imports/plan', 'POST', bytesOf(file)));
const bytesOf = (file: unknown) =>
  typeof file === 'string' || file instanceof Uint8Array ? file : JSON.stringify(file);

async function bring(visitor: Visitor, file: unknown) {
  const id = randomUUID();
  const sent = send(visitor, `/api/imports/${id}?app=chat`, 'PUT', bytesOf(file));
  return { id, report: await parseAnswer(importReportSchema, sent) };
}

async function listOf(visitor: Visitor) {
  return parseAnswer(conversationsApi.list.response, visitor('/api/conversations'));
}

/** The messages of the only conversation, as its owner reads it. */
async function onlyOne(visitor: Visitor) {
  const { items } = await listOf(visitor);
  expect(items).toHaveLength(1);
  return readConversation(visitor, items[0]?.id ?? '');
}

function node(id: string, parent: string | null, role: string, content: object, more: object = {}) {
  return {
    id,
    parent,
    children: [],
    message: { id, author: { role }, content, create_time: 1700000000, ...more },
  };
}
const text = (...parts: unknown[]) => ({ content_type: 'text', parts });

const chatGpt = [
  {
    conversation_id: 'gpt-1',
    title: 'Birds',
    create_time: 1700000000.5,
    update_time: 1700000100,
    current_node: 'e',
    mapping: {
      root: { id: 'root', parent: null, children: ['a'], message: null },
      a: node('a', 'root', 'system', text('')),
      b: node('b', 'a', 'user', {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-x' }, 'Which bird?'],
      }),
      lost: node('lost', 'b', 'assistant', text('Another answer.')),
      c: node('c', 'b', 'assistant', {
        content_type: 'thoughts',
        thoughts: [{ summary: 'Look', content: 'Grey.' }],
      }),
      d: node('d', 'c', 'tool', { content_type: 'execution_output', text: 'heron = 1' }),
      e: node('e', 'd', 'assistant', text('A heron.'), { metadata: { model_slug: 'gpt-4o' } }),
      odd: node('odd', 'e', 'assistant', { content_type: 'hologram', beams: 3 }),
    },
  },
];

test('imports the shown branch of a ChatGPT export, and lists what is left out', async () => {
  const { visitor } = await start();
  const planned = await plan(visitor, chatGpt);
  expect(planned).toMatchObject({ formats: ['chatgpt'], conversations: 1, messages: 2, known: 0 });
  expect(planned.losses).toEqual(
    expect.arrayContaining([
      { what: 'pictures', count: 1, isKept: false },
      { what: 'other-lines', count: 2, isKept: false },
      { what: 'tool-results', count: 1, isKept: true },
    ]),
  );
  expect((await listOf(visitor)).total).toBe(0);
  await bring(visitor, chatGpt);
  const conversation = await onlyOne(visitor);
  expect(conversation).toMatchObject({ title: 'Birds', updatedAt: '2023-11-14T22:15:00.000Z' });
  expect(conversation.messages).toMatchObject([
    { role: 'user', content: 'Which bird?' },
    { model: 'gpt-4o', thinking: 'Look\n\nGrey.', content: '```\nheron = 1\n```\n\nA heron.' },
  ]);
  const { id } = conversation;
  expect((await takeTurn(visitor, { conversationId: id, message: 'And then?' })).text).toBe(
    'Hello.',
  );
});

const claude = [
  {
    uuid: 'c-1',
    name: 'Storks',
    created_at: '2025-01-01T10:00:00Z',
    updated_at: '2025-01-02T10:00:00Z',
    chat_messages: [
      {
        uuid: '1',
        sender: 'human',
        text: 'Hi',
        attachments: [{ file_name: 'a.txt', extracted_content: 'A stork.' }],
        files: [{ file_name: 'x.png' }],
      },
      {
        uuid: '2',
        sender: 'assistant',
        text: '',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Yes.' },
          { type: 'tool_use', name: 'find', input: { q: 1 } },
          { type: 'lamp' },
        ],
      },
      { sender: 7 },
    ],
  },
];

test('imports a zipped Claude export, ignoring other files, whatever their names', async () => {
  const { visitor } = await start();
  const zip = rawZip([
    { name: '../../x', content: 'evil' },
    { name: 'users.json', content: '[]' },
    { name: 'conversations.json', content: JSON.stringify(claude) },
  ]);
  const { report } = await bring(visitor, zip);
  expect(report.losses).toEqual(
    expect.arrayContaining([
      { what: 'files', count: 1, isKept: true },
      { what: 'files', count: 1, isKept: false },
      { what: 'lamp', count: 1, isKept: false },
      { what: 'unreadable', count: 1, isKept: false },
    ]),
  );
  expect((await onlyOne(visitor)).messages).toMatchObject([
    { content: 'a.txt\n\n```\nA stork.\n```\n\nHi' },
    { thinking: 'Hm.', model: 'Claude', content: 'Yes.\n\nfind\n\n```json\n{\n  "q": 1\n}\n```' },
  ]);
});

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('imports an Open WebUI export by its current message; its reasoning becomes thinking', async () => {
  const { visitor } = await start();
  const messages = {
    a: {
      ...{ id: 'a', parentId: null, role: 'user', content: 'Hi' },
      files: [{ type: 'image', url: `data:image/png;base64,${pixel.toString('base64')}` }],
    },
    b: { id: 'b', parentId: 'a', role: 'assistant', content: 'No.' },
    c: {
      id: 'c',
      parentId: 'a',
      role: 'assistant',
      model: 'llama',
      content:
        '<details type="reasoning" done="true">\n<summary>Thought</summary>\n> Hm\n</details>\nYes.',
    },
  };
  const chat = { title: 'Cranes', history: { messages, currentId: 'c' } };
  await bring(visitor, [
    { id: 'w', title: 'Cranes', created_at: 1700000000, updated_at: 1700000001, chat },
  ]);
  expect((await onlyOne(visitor)).messages).toMatchObject([
    { content: 'Hi', attachments: [{ type: 'image/png', kind: 'picture' }] },
    { content: '\nYes.', thinking: '> Hm', model: 'llama' },
  ]);
});

test('an export of ours is imported once, and an import can be undone, also much later', async () => {
  const { server, visitor } = await start();
  const { conversationId } = await takeTurn(visitor, { message: 'Which birds?' });
  const exported = await visitor(`/api/conversations/${conversationId}/export?format=json`);
  const file = await exported.text();
  const { id, report } = await bring(visitor, file);
  expect(report).toMatchObject({ formats: ['knowhow'], known: 0 });
  const again = await bring(visitor, file);
  expect(again.report).toMatchObject({ known: 1, items: [{ isKnown: true }] });
  expect((await listOf(visitor)).total).toBe(2);
  const progress = parseAnswer(
    conversationImportApi.progress.response,
    visitor(`/api/imports/${id}`),
  );
  expect(await progress).toEqual({ done: 1, total: 1 });
  expect((await server.visitor()(`/api/imports/${id}`)).status).toBe(404);
  const imports = async (who: Visitor) =>
    parseAnswer(conversationImportApi.list.response, who('/api/imports'));
  expect((await imports(visitor)).items).toMatchObject([{ id, conversations: 1 }]);
  expect(await imports(server.visitor())).toEqual({ items: [], total: 0 });
  const undone = visitor(`/api/imports/${id}`, { method: 'DELETE' });
  expect(await parseAnswer(conversationImportApi.undo.response, undone)).toEqual({ removed: 1 });
  expect((await listOf(visitor)).total).toBe(1);
  expect((await imports(visitor)).total).toBe(0);
  expect((await bring(visitor, file)).report.known).toBe(0);
});

test('an import that is undone while running adds nothing more, and leaves nothing behind', async () => {
  const { visitor } = await start();
  const chats = Array.from({ length: 600 }, (_, number) => ({
    uuid: `c-${number}`,
    chat_messages: [{ sender: 'human', text: `Question ${number}` }],
  }));
  const id = randomUUID();
  const running = send(visitor, `/api/imports/${id}?app=chat`, 'PUT', JSON.stringify(chats));
  const undo = async () => (await send(visitor, `/api/imports/${id}`, 'DELETE', '')).status;
  await expect.poll(undo, { interval: 5 }).toBe(200);
  expect(await parseProblem(running)).toMatchObject({ code: 'conflict' });
  expect((await listOf(visitor)).items).toEqual([]);
});

test('a conversation that is too long to continue is imported, and plan and report say so', async () => {
  const { visitor } = await start();
  const said = (number: number) => ({
    sender: number % 2 === 0 ? 'human' : 'assistant',
    text: `Words ${number}`,
  });
  const file = [
    { uuid: 'long', chat_messages: Array.from({ length: 4000 }, (_, number) => said(number)) },
    { uuid: 'short', chat_messages: Array.from({ length: 3998 }, (_, number) => said(number)) },
  ];
  expect(await plan(visitor, file)).toMatchObject({ full: 1 });
  const { report } = await bring(visitor, file);
  expect(report.items.map(({ isFull }) => isFull)).toEqual([true, false]);
  const { items } = await listOf(visitor);
  const turns = items.map(({ id: conversationId }) =>
    takeTurn(visitor, { message: 'And then?', conversationId }),
  );
  const answers = await Promise.all(turns);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("users' images are imported with their messages, with the checks of an upload; others are counted", async () => {
  const { server, visitor } = await start();
  const part = (id: string) => ({
    content_type: 'image_asset_pointer',
    asset_pointer: `sediment://${id}`,
  });
  const parts = [part('file_heron'), part('file_bad'), part('file_gone'), 'Which birds?'];
  const content = { content_type: 'multimodal_text', parts };
  const conversation = {
    ...{ conversation_id: 'p', title: 'Pictures', current_node: 'a' },
    mapping: { a: node('a', null, 'user', content) },
  };
  const zip = rawZip([
    { name: 'conversations.json', content: JSON.stringify([conversation]) },
    { name: 'user-x/file_heron-heron.png', content: pixel },
    { name: 'file_bad-bad.png', content: pixel.subarray(0, 30) },
  ]);
  const lost = [{ what: 'pictures', count: 2, isKept: false }];
  expect((await plan(visitor, zip)).losses).toEqual(lost);
  const { report } = await bring(visitor, zip);
  expect(report.losses).toEqual(lost);
  const check = async (message: string) => {
    const { items } = await listOf(visitor);
    const found = await readConversation(visitor, items[0]?.id ?? '');
    expect(found.messages[0]).toMatchObject({
      content: message,
      attachments: [{ kind: 'picture', type: 'image/png', shown: 0 }],
    });
    const [first] = found.messages;
    const file = first?.role === 'user' ? first.attachments?.[0]?.id : undefined;
    const read = await visitor(`/api/files/${file}`);
    expect(Buffer.from(await read.arrayBuffer()).subarray(0, 4)).toEqual(pixel.subarray(0, 4));
    expect((await server.visitor()(`/api/files/${file}`)).status).toBe(404);
    return found.id;
  };
  const id = await check('Which birds?');
  const own = await visitor(`/api/conversations/${id}/export?format=zip`);
  const bytes = Buffer.from(await own.arrayBuffer());
  await visitor(`/api/conversations/${id}`, { method: 'DELETE' });
  expect((await bring(visitor, bytes)).report).toMatchObject({ formats: ['knowhow'], losses: [] });
  const again = await check('Which birds?');
  await takeTurn(visitor, { message: 'And now?', conversationId: again });
});

test("images beyond a conversation's maximum are counted, without blocking others", async () => {
  const { visitor } = await start();
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
  const files = Array.from({ length: 25 }, () => ({
    ...{ name: 'a.png', type: 'image/png', size: 1, path: 'files/a.png' },
  }));
  const byModel = { model: 'X', status: 'complete' };
  const messages = Array.from({ length: 60 }, (_, number) => [
    { role: 'user', content: `Which? ${number}`, createdAt: times.createdAt, files },
    { role: 'assistant', content: 'A heron.', createdAt: times.createdAt, ...byModel },
  ]).flat();
  const own = { format: 'knowhow-conversation', version: 1, id: 'many', title: 'Many', ...times };
  const zip = rawZip([
    { name: 'knowhow.json', content: JSON.stringify({ ...own, messages }), method: 0 },
    { name: 'files/a.png', content: pixel },
  ]);
  const bringAll = async () => {
    const { report } = await bring(visitor, zip);
    expect(report.losses).toEqual([{ what: 'pictures', count: 500, isKept: false }]);
  };
  const pause = await measureLongestPause(bringAll, processorClock);
  expect(pause).toBeLessThan(100);
  const { messages: stored } = await onlyOne(visitor);
  const counts = stored.map((each) => (each.role === 'user' ? each.attachments?.length : 0));
  expect(counts.slice(0, 1)).toEqual([20]);
  expect(counts.reduce((sum = 0, count = 0) => sum + count, 0)).toBe(1000);
});

test('messages without IDs form one branch, and deep content does not grow much', async () => {
  const { visitor } = await start();
  const input = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`);
  const calls = Array.from({ length: 30 }, (_, number) => ({
    sender: number % 2 === 0 ? 'human' : 'assistant',
    content: [{ type: 'tool_use', name: 'deep', input }],
  }));
  await bring(visitor, [{ uuid: 'deep', chat_messages: calls }]);
  const { messages } = await onlyOne(visitor);
  expect(messages).toHaveLength(30);
  expect(JSON.stringify(messages).length).toBeLessThan(100_000);
});

test('invalid or hostile exports are rejected or listed, and the server stays responsive', async () => {
  const { server, visitor } = await start();
  const refused = (body: string | Uint8Array) =>
    parseProblem(send(visitor, '/api/imports/plan', 'POST', body));
  for (const body of [
    '',
    '{}',
    '[1,2',
    'PK',
    '[[[[',
    '{"mapping":{}}',
    `[${'['.repeat(100_000)}`,
  ]) {
    expect(await refused(body)).toMatchObject({ code: 'invalid-archive' });
  }
  const bomb = rawZip([{ name: 'conversations.json', content: ' '.repeat(30_000_000) }]);
  expect((await refused(bomb)).detail).toContain('hundred times');
  const loop = {
    conversation_id: 'l',
    current_node: 'a',
    mapping: {
      a: node('a', 'b', 'user', text('x'.repeat(10_000_000))),
      b: node('b', 'a', 'assistant', text('y')),
    },
  };
  const [, health] = await Promise.all([
    plan(visitor, [loop, { mapping: 1 }]).then((planned) => {
      expect(planned).toMatchObject({ conversations: 1, messages: 3 });
      expect(planned.losses.map(({ what }) => what)).toEqual(['cut', 'unreadable']);
    }),
    server.visitor()('/api/health'),
  ]);
  expect(health.status).toBe(200);
  const unknownApp = await send(visitor, `/api/imports/${randomUUID()}?app=none`, 'PUT', '[]');
  expect(unknownApp.status).toBe(404);
});

test('citation markers in an import become links, or are removed', async () => {
  const { visitor } = await start();
  const mark = '\ue200cite\ue202turn0search1\ue201';
  const file = [
    {
      ...chatGpt[0],
      conversation_id: 'gpt-sources',
      current_node: 'b',
      mapping: {
        a: node('a', null, 'user', text('Herons?')),
        b: node(
          'b',
          'a',
          'assistant',
          text(`They wade.${mark} Often.【12†source】 \ue200cite\ue202turn9search9\ue201`),
          {
            metadata: {
              content_references: [
                {
                  matched_text: mark,
                  items: [{ title: 'Birds', url: 'https://birds.example/heron' }],
                },
              ],
            },
          },
        ),
      },
    },
  ];
  await bring(visitor, file);
  const { messages } = await onlyOne(visitor);
  expect(messages[1]?.content.trim()).toBe(
    'They wade. [Birds](https://birds.example/heron) Often.',
  );
});
