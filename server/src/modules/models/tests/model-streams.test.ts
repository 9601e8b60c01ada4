import { conversationSchema } from '@knowhow/shared/chat/conversations';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeKey } from '../../../testing/make-key.ts';
import {
  type ScriptedHttp,
  type ScriptedResponse,
  startScriptedHttp,
} from '../../../testing/scripted-http.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { openModel } from '../open-model.ts';

/** Streams of servers that deviate from the chat completions protocol, and the answers that a chat shows. */

let provider: ScriptedHttp;
let server: TestServer;
let admin: Visitor;
/** The response to requests without a queued one. */
let always: ScriptedResponse | undefined;

const model = { id: 'scripted', modelId: 'm', name: 'Mo', provider: 'local', default: true };

beforeAll(async () => {
  provider = await startScriptedHttp(() => always ?? { status: 500 });
  server = await startTestServer({
    openModel: (config, key) => openModel(config, key, { backOffMs: [1, 1] }),
    files: {
      'models/scripted.json': { ...model, url: provider.origin },
      'models/other.json': { ...model, id: 'other', default: false, url: provider.origin },
      'skills/one/SKILL.md': skillFile('one', 'The first.', 'Do one.'),
      'skills/two/SKILL.md': skillFile('two', 'The second.', 'Do two.'),
    },
  });
  admin = await signInAdmin(server);
});
afterAll(async () => {
  await server.close();
  await provider.close();
});
beforeEach(() => {
  always = undefined;
  provider.requests.length = 0;
});

interface Message {
  role: string;
  content: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  [field: string]: unknown;
}

const messagesOf = (at: number) =>
  (provider.requests.at(at)?.body as { messages: Message[] } | undefined)?.messages ?? [];
const answersIn = (at: number) => messagesOf(at).filter(({ role }) => role === 'assistant');

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (fields: object, reason: string | null = null) =>
  data({ choices: [{ index: 0, delta: fields, finish_reason: reason }] });
const done = 'data: [DONE]\n\n';
const text = (...pieces: string[]) => [
  ...pieces.map((content) => delta({ content })),
  delta({}, 'stop'),
  done,
];
const whole = { chunks: text('Fine.') };
const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const page = (title: string) => [`<html><head><title>${title}</title></head></html>`];

/** One turn with these model responses, and the conversation after it. */
async function turnOf(...responses: ScriptedResponse[]) {
  provider.reply(...responses);
  const turn = await takeTurn(admin, { message: 'Hello' });
  const { messages } = await readConversation(admin, turn.conversationId);
  const answer = messages.at(-1);
  if (answer?.role !== 'assistant') {
    throw new Error('There is no answer.');
  }
  return { ...turn, answer, last: turn.events.at(-1) };
}

async function turnAlways(response: ScriptedResponse) {
  always = response;
  return turnOf();
}

/** The part of the answer that the model gets in the next turn. */
async function sentBack(conversationId: string, more: { model?: string } = {}) {
  provider.reply(whole);
  await takeTurn(admin, { message: 'Next', conversationId, ...more });
  return answersIn(-1);
}

describe('the text of an answer', () => {
  test.each<[string, (string | Buffer)[], string]>([
    ['as specified', text('Hel', 'lo'), 'Hello'],
    ['with CRLF line endings', [text('Hello').join('').replaceAll('\n', '\r\n')], 'Hello'],
    ['with a byte order mark', ['\uFEFF', ...text('Hello')], 'Hello'],
    [
      'without a space after "data:"',
      text('Hello').map((each) => each.replace('data: ', 'data:')),
      'Hello',
    ],
    ['with comments', [': OPENROUTER PROCESSING\n\n', ...text('Hello')], 'Hello'],
    ['with empty data', ['data:\n\n', 'data: \n\n', ...text('Hello')], 'Hello'],
    [
      'with keep-alive text',
      ['data: keepalive\n\n', 'data: [PING]\n\ndata: ""\n\n', ...text('Hello')],
      'Hello',
    ],
    [
      'with a named keep-alive event',
      ['event: ping\ndata: {"type":"ping"}\n\n', ...text('Hello')],
      'Hello',
    ],
    [
      'with a value on several lines',
      ['data: {"choices":\ndata: [{"delta":{"content":"Hello"}}]}\n\n', done],
      'Hello',
    ],
    [
      'without blank lines between its events',
      [`${text('Hel', 'lo').join('').replaceAll('\n\n', '\n')}\n`],
      'Hello',
    ],
    [
      'without a blank line after the last event',
      [...text('Hello').slice(0, -1), 'data: [DONE]'],
      'Hello',
    ],
    ['without [DONE]', text('Hello').slice(0, -1), 'Hello'],
    ['with only [DONE]', [delta({ content: 'Hello' }), done], 'Hello'],
    ['with an empty reason', [delta({ content: 'Hello' }, ''), delta({}, ''), done], 'Hello'],
    [
      'with a non-standard finish reason',
      [delta({ content: 'Hello' }), delta({}, 'eos'), done],
      'Hello',
    ],
    [
      'with "null" as a reason',
      [delta({ content: 'Hel' }, 'null'), delta({ content: 'lo' }, 'stop'), done],
      'Hello',
    ],
    ['after a chunk with only a role', [delta({ role: 'assistant' }), ...text('Hello')], 'Hello'],
    [
      'between chunks without choices',
      [data({ choices: null }), data({ choices: [] }), data({ choices: [null] }), ...text('Hello')],
      'Hello',
    ],
    [
      'with its usage as strings',
      [...text('Hello').slice(0, -1), data({ choices: [], usage: { prompt_tokens: '3' } }), done],
      'Hello',
    ],
    [
      'as content parts',
      [
        delta(
          {
            content: [
              { type: 'text', text: 'Hel' },
              { type: 'text', text: 'lo' },
            ],
          },
          'stop',
        ),
      ],
      'Hello',
    ],
    [
      'as one message in a line',
      [data({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }), done],
      'Hello',
    ],
    [
      'as chunks and then the message',
      [
        delta({ content: 'Hello' }),
        data({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }),
        done,
      ],
      'Hello',
    ],
    ['as a refusal', [delta({ refusal: 'Hello' }, 'stop')], 'Hello'],
    [
      'with characters split between packets',
      [
        Buffer.from('data: {"choices":[{"delta":{"content":"Gr\u00fc'.slice(0, -1)),
        Buffer.from([0xc3]),
        Buffer.from([0xbc]),
        '\u00df"}}]}\n\n',
        done,
      ],
      'Gr\u00fc\u00df',
    ],
  ])('is shown when it comes %s', async (_how, chunks, expected) => {
    const { text: shown, answer, last } = await turnOf({ chunks });
    expect([shown, answer.content, last]).toEqual([
      expected,
      expected,
      { type: 'done', finishReason: 'stop' },
    ]);
  });

  test.each<[string, ScriptedResponse]>([
    [
      'one JSON text',
      {
        headers: json,
        chunks: [
          JSON.stringify({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }),
        ],
      },
    ],
    [
      'one JSON text on several lines, called a stream',
      {
        chunks: [
          JSON.stringify(
            { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] },
            null,
            2,
          ),
        ],
      },
    ],
    [
      'JSON lines',
      {
        headers: { 'content-type': 'application/x-ndjson' },
        chunks: [
          `${JSON.stringify({ choices: [{ delta: { content: 'Hello' } }] })}\n${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n`,
        ],
      },
    ],
  ])('is shown when a server does not stream: %s', async (_how, response) => {
    const { text: shown, last } = await turnOf(response);
    expect([shown, last]).toEqual(['Hello', { type: 'done', finishReason: 'stop' }]);
  });
});

describe('thinking in tags', () => {
  test.each<[string, string[], string, string]>([
    ['in one chunk', ['<think>Hmm.</think>Hello'], 'Hmm.', 'Hello'],
    ['after blanks', ['\n \n', '<think>\nHmm.\n</think>\n\nHello'], 'Hmm.', 'Hello'],
    ['split anywhere', [...'<think>\nHmm.</think>\n\nHello'], 'Hmm.', 'Hello'],
    ['empty', ['<think>', '\n\n', '</think>\n\n', 'Hello'], '', 'Hello'],
    ['called <thinking>', ['<thinking>Hmm.</thinking> Hello'], 'Hmm.', 'Hello'],
    ['called <reasoning>', ['<reasoning>Hmm.', '</reasoning>Hello'], 'Hmm.', 'Hello'],
    ['in capitals', ['<THINK>Hmm.</THINK>Hello'], 'Hmm.', 'Hello'],
    ['of Magistral', ['[THINK]Hmm.[/THINK]Hello'], 'Hmm.', 'Hello'],
    ['with other tags in it', ['<think>a <b> c</think>Hello'], 'a <b> c', 'Hello'],
    [
      'with a letter that is longer in lower case',
      ['<think>İzmir?</think>Hello'],
      'İzmir?',
      'Hello',
    ],
    ['with only a closing tag', ['Hmm.\n', '</think>\n\nHello'], 'Hmm.\n', 'Hello'],
    ['with only a closing tag, split', [...'Hmm. So.</think>Hello'], 'Hmm. So.', 'Hello'],
    ['with only a closing tag, after a blank', ['Hmm. </think> Hello'], 'Hmm. ', 'Hello'],
    ['with a closing tag first', ['</think>\n\nHello'], '', 'Hello'],
  ])('is collapsed, and not sent back: %s', async (_how, pieces, thinking, expected) => {
    const { answer, conversationId } = await turnOf({ chunks: text(...pieces) });
    expect([answer.thinking, answer.content]).toEqual([thinking, expected]);
    expect(await sentBack(conversationId)).toEqual([{ role: 'assistant', content: expected }]);
  });

  test.each([
    ['a mention in a sentence', 'Models write <think> first, and </think> after it.'],
    ['a mention of the closing tag only', 'The tag </think> ends the thinking.'],
    ['a mention of the closing tag at a line start', 'So:\n</think> ends it.'],
    ['code', 'Use `</think>` here.'],
    ['a code block', 'See:\n\n```\nHmm.\n</think>\n```\n'],
    ['quotation marks', 'It is "</think>" that ends it.'],
    ['a code block at its start', '```\n<think>Hmm.</think>\n```'],
    ['a comparison', 'a <b and c> d <thi'],
  ])('stays text in %s', async (_where, words) => {
    for (const pieces of [[words], [...words]]) {
      const { answer } = await turnOf({ chunks: text(...pieces) });
      expect([answer.thinking, answer.content]).toEqual(['', words]);
    }
  });

  test('may occur in each round of a turn, and in a title', async () => {
    const call = {
      index: 0,
      id: 'a',
      function: { name: 'activate_skill', arguments: '{"skill_name":"one"}' },
    };
    const { answer, text: streamed } = await turnOf(
      { chunks: [delta({ content: 'First.' }), delta({ tool_calls: [call] }, 'tool_calls'), done] },
      { chunks: text('Hmm.\n</think>\n\n', 'Second.') },
    );
    expect([answer.thinking, answer.content]).toEqual(['\n\nHmm.\n', 'First.\n\nSecond.']);
    expect(streamed).toContain('Hmm.');
    expect(answersIn(-1)[0]).toMatchObject({ content: 'First.' });
  });
});

describe('an answer without text', () => {
  const thought = delta({ reasoning_content: 'Hmm.' });
  test.each<[string, ScriptedResponse]>([
    ['stops', { chunks: text() }],
    ['contains only blanks', { chunks: text('\n', ' ') }],
    ['contains only [DONE]', { chunks: [done] }],
    ['contains only thinking', { chunks: [thought, ...text()] }],
    ['is a tag that is never closed', { chunks: text('<think>Hmm.') }],
    [
      'is a message without content',
      {
        headers: json,
        chunks: [
          JSON.stringify({ choices: [{ message: { content: null }, finish_reason: 'stop' }] }),
        ],
      },
    ],
    [
      'has a call without a name',
      {
        chunks: [
          delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }, 'tool_calls'),
          done,
        ],
      },
    ],
  ])('is reported as empty when it %s', async (_how, response) => {
    const { last, answer } = await turnOf(response);
    expect(last).toMatchObject({
      type: 'error',
      code: 'model-empty',
      message: 'The model "Mo" returned an empty answer. Try again, or choose another model.',
      reason: expect.stringContaining('no text'),
    });
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'model-empty' } });
  });

  test('is an error for API clients', async () => {
    const { key } = await makeKey(server, admin, ['chat']);
    const ask = (stream: boolean) =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'chat', stream, messages: [{ role: 'user', content: 'A' }] }),
      });
    for (const stream of [false, true]) {
      provider.reply({ chunks: text() });
      const response = await ask(stream);
      expect(response.status).toBe(502);
      expect(await response.text()).toContain('returned an empty answer');
    }
    provider.reply({ chunks: text('Hmm.\n</think>\n\nHello') });
    const { choices } = (await (await ask(false)).json()) as { choices: unknown[] };
    expect(choices).toMatchObject([{ message: { content: 'Hello' } }]);
  });
});

describe('tool calls', () => {
  const first = '{"skill_name":"one"}';
  const second = '{"skill_name":"two"}';
  const name = 'activate_skill';
  const called = (fields: object, fn: object) => ({ ...fields, function: fn });
  const two = [
    ['activate_skill', { skill_name: 'one' }],
    ['activate_skill', { skill_name: 'two' }],
  ];
  const one = two.slice(0, 1);

  test.each<[string, unknown[], unknown[]]>([
    [
      'without IDs, on one index',
      [
        called({ index: 0 }, { name, arguments: first }),
        called({ index: 0 }, { name, arguments: second }),
      ],
      two,
    ],
    [
      'without IDs and indexes',
      [called({}, { name, arguments: first }), called({}, { name, arguments: second })],
      two,
    ],
    [
      'with empty IDs, in chunks',
      [
        called({ index: 0, id: '' }, { name, arguments: '' }),
        called({ index: 0, id: '' }, { arguments: first }),
        called({ index: 0, id: '' }, { name, arguments: '{"skill' }),
        called({ index: 0, id: '' }, { arguments: '_name":"two"}' }),
      ],
      two,
    ],
    [
      'with one ID for all',
      [
        called({ index: 0, id: 'x' }, { name, arguments: first }),
        called({ index: 1, id: 'x' }, { name, arguments: second }),
      ],
      two,
    ],
    [
      'with chunks on other indexes',
      [
        called({ index: 0, id: 'a' }, { name, arguments: '' }),
        called({ index: 1 }, { arguments: '{"skill_name"' }),
        called({ index: 2 }, { arguments: ':"one"}' }),
      ],
      one,
    ],
    [
      'with a new ID for each chunk',
      [
        called({ index: 0, id: 'a' }, { name, arguments: '{"skill_na' }),
        called({ index: 0, id: 'b' }, { arguments: 'me":' }),
        called({ index: 0, id: 'c' }, { arguments: '"one"}' }),
      ],
      one,
    ],
    [
      'with the name on each chunk',
      [
        called({ index: 0, id: 'a' }, { name, arguments: '{"skill_na' }),
        called({ index: 0, id: 'a' }, { name, arguments: 'me":"one"}' }),
      ],
      one,
    ],
    [
      'repeated at the end',
      [
        called({ index: 0, id: 'a' }, { name, arguments: first }),
        called({ index: 0, id: 'a' }, { name, arguments: first }),
      ],
      one,
    ],
    [
      'interleaved',
      [
        called({ index: 0, id: 'a' }, { name, arguments: '{"skill_name"' }),
        called({ index: 1, id: 'b' }, { name, arguments: '{"skill_name"' }),
        called({ index: 0 }, { arguments: ':"one"}' }),
        called({ index: 1 }, { arguments: ':"two"}' }),
      ],
      two,
    ],
    [
      'with arguments as an object',
      [called({ index: 0, id: 'a' }, { name, arguments: { skill_name: 'one' } })],
      one,
    ],
    [
      'with numbers as IDs and strings as indexes',
      [
        called({ index: '0', id: 1 }, { name, arguments: first }),
        called({ index: '1', id: 2 }, { name, arguments: second }),
      ],
      two,
    ],
    ['without the function level', [{ id: 'a', name, arguments: first }], one],
  ])('are run when they come %s', async (_how, pieces, expected) => {
    const chunks = [
      ...pieces.map((piece) => delta({ tool_calls: [piece] })),
      delta({}, 'tool_calls'),
      done,
    ];
    const { answer } = await turnOf({ chunks }, whole);
    expect(answer.toolCalls.map((each) => [each.name, each.input])).toEqual(expected);
    const [asked] = answersIn(-1);
    const ids = asked?.tool_calls?.map(({ id }) => id) ?? [];
    expect(asked?.content).toBeNull();
    expect(new Set(ids.filter(Boolean)).size).toBe(expected.length);
    const results = messagesOf(-1).filter(({ role }) => role === 'tool');
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(ids);
  });

  test.each<[string, string[]]>([
    [
      'without a finish reason',
      [delta({ tool_calls: [called({ index: 0, id: 'a' }, { name, arguments: first })] }), done],
    ],
    [
      'as a legacy function_call',
      [
        delta({ function_call: { name, arguments: '{"skill_' } }),
        delta({ function_call: { arguments: 'name":"one"}' } }, 'function_call'),
        done,
      ],
    ],
    [
      'with the finish reason before them',
      [
        delta({}, 'tool_calls'),
        delta({ tool_calls: [called({ index: 0, id: 'a' }, { name, arguments: first })] }),
        done,
      ],
    ],
    [
      'in one message',
      [
        data({
          choices: [
            {
              message: {
                content: null,
                tool_calls: [called({ id: 'a' }, { name, arguments: first })],
              },
              finish_reason: 'tool_calls',
            },
          ],
        }),
      ],
    ],
  ])('are run when they come %s', async (_how, chunks) => {
    const { answer, text: said } = await turnOf({ chunks }, whole);
    expect(answer.toolCalls).toMatchObject([{ name, input: { skill_name: 'one' } }]);
    expect(said).toBe('Fine.');
  });
});

describe('extra fields of a message or a call', () => {
  const call = (fields: object, fn: object = {}) => ({
    index: 0,
    id: 'a',
    type: 'function',
    ...fields,
    function: { name: 'activate_skill', arguments: '{"skill_name":"one"}', ...fn },
  });
  const google = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
  const details = { type: 'reasoning.text', format: 'anthropic-v1', index: 0 };

  test.each<[string, object[], object]>([
    ['a Gemini signature', [{ tool_calls: [call(google)] }], { tool_calls: [google] }],
    [
      "a gateway's signature in its own field",
      [{ tool_calls: [call({ provider_specific_fields: { thought_signature: 'x' } })] }],
      { tool_calls: [{ provider_specific_fields: { thought_signature: 'x' } }] },
    ],
    [
      'a field of the function',
      [{ tool_calls: [call({}, { thought_signature: 'x' })] }],
      { tool_calls: [{ function: { thought_signature: 'x' } }] },
    ],
    [
      'a field in a later chunk',
      [{ tool_calls: [call({})] }, { tool_calls: [{ index: 0, vendor: [1] }] }],
      { tool_calls: [{ vendor: [1] }] },
    ],
    [
      'a field of the message',
      [{ content: 'So.', reasoning_opaque: 'abc' }, { tool_calls: [call({})] }],
      { content: 'So.', reasoning_opaque: 'abc' },
    ],
    [
      'reasoning details in chunks',
      [
        { reasoning: 'Hm', reasoning_details: [{ ...details, text: 'Hm' }] },
        { reasoning: 'm.', reasoning_details: [{ ...details, text: 'm.' }] },
        { reasoning_details: [{ ...details, signature: 'sig' }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz', index: 1 }] },
        { tool_calls: [call({})] },
      ],
      {
        reasoning: 'Hmm.',
        reasoning_details: [
          { ...details, text: 'Hmm.', signature: 'sig' },
          { type: 'reasoning.encrypted', data: 'xyz', index: 1 },
        ],
      },
    ],
    [
      'thinking under another name',
      [{ reasoning_content: 'Hmm.' }, { tool_calls: [call({})] }],
      { reasoning_content: 'Hmm.' },
    ],
  ])('are sent back only to the same model: %s', async (_what, deltas, expected) => {
    const chunks = [...deltas.map((fields) => delta(fields)), delta({}, 'tool_calls'), done];
    const { conversationId, body } = await turnOf({ chunks }, whole);
    expect(answersIn(-1)[0]).toMatchObject(expected);
    expect(body).not.toMatch(/signature|opaque|encrypted/);
    expect((await sentBack(conversationId))[0]).toMatchObject(expected);
    const other = await sentBack(conversationId, { model: 'other' });
    expect(JSON.stringify(other)).not.toMatch(/signature|opaque|encrypted|vendor|Hmm/);
    const exported = await (await admin(`/api/conversations/${conversationId}`)).text();
    conversationSchema.parse(JSON.parse(exported));
    expect(exported).not.toMatch(/signature|opaque|encrypted/);
  });

  test('are sent back with an answer without calls', async () => {
    const signed = { extra_content: { google: { thought_signature: 'c2ln' } } };
    const { conversationId } = await turnOf({
      chunks: [delta({ content: 'Hello' }), delta(signed, 'stop'), done],
    });
    expect(await sentBack(conversationId)).toMatchObject([{ content: 'Hello', ...signed }]);
  });

  test('are dropped if they are too large, or use our field names', async () => {
    const fields = { huge: 'x'.repeat(300_000), small: 'kept', __proto__: { polluted: true } };
    const { conversationId } = await turnOf(
      { chunks: [delta({ ...fields, tool_calls: [call({})] }, 'tool_calls'), done] },
      whole,
    );
    const [answer] = await sentBack(conversationId);
    expect(answer).toMatchObject({ small: 'kept', role: 'assistant' });
    expect(answer).not.toHaveProperty('huge');
  });

  test('of thinking are an empty text in the later rounds of a turn with thinking', async () => {
    const calling = (fields: object) => ({
      chunks: [delta({ ...fields, tool_calls: [call({})] }, 'tool_calls'), done],
    });
    const { conversationId } = await turnOf(
      calling({ reasoning_content: 'Hmm.' }),
      calling({}),
      whole,
    );
    const thoughts = (answers: Message[]) =>
      answers.map(({ reasoning_content }) => reasoning_content);
    expect(thoughts(answersIn(-1))).toEqual(['Hmm.', '']);
    expect(thoughts(await sentBack(conversationId))).toEqual(['Hmm.', '', '']);
    provider.reply(whole);
    await takeTurn(admin, { message: 'Again', conversationId });
    expect(thoughts(answersIn(-1))).toEqual(['Hmm.', '', '', undefined]);
  });
});

describe('a server error', () => {
  const words = 'The engine ran out of memory';
  test.each<[string, string]>([
    ['{error: {…}}', data({ error: { message: words, code: 'x' } })],
    ['{error: "…"}', data({ error: words })],
    ['{object: "error"}', data({ object: 'error', message: words, code: 500 })],
    ['{code, msg}', data({ code: 1113, msg: words })],
    ['{code, message}', data({ code: 'Throttling', message: words, request_id: '1' })],
    ['{detail}', data({ detail: words })],
    ['{errors: […]}', data({ success: false, errors: [{ code: 3, message: words }] })],
    ['{base_resp}', data({ base_resp: { status_code: 1004, status_msg: words } })],
    ['a field "error:"', `error: ${JSON.stringify({ code: 500, message: words })}\n\n`],
    ['an event "error" with JSON', `event: error\n${data({ message: words })}`],
    ['an event "error" with text', `event: error\ndata: ${words}\n\n`],
    ['text that starts with "error"', `data: Error: ${words}\n\n`],
    [
      'an error in the choice',
      data({ choices: [{ delta: {}, error: { message: words, code: 502 } }] }),
    ],
  ])('keeps the text before it, and is reported to administrators: %s', async (_form, event) => {
    const { answer, last } = await turnOf({ chunks: [`${delta({ content: 'So far.' })}${event}`] });
    expect(answer.content).toBe('So far.');
    expect(last).toMatchObject({ type: 'error', reason: expect.stringContaining(words) });
    expect(answer).toMatchObject({ status: 'failed' });
  });

  test.each<[string, ScriptedResponse, string, RegExp]>([
    [
      'a wrong key, with status 200',
      { headers: json, chunks: ['{"error":"Invalid API key"}'] },
      'model-unauthorized',
      /Invalid API key/,
    ],
    [
      'a wrong key, with status 200 and only a message',
      { headers: json, chunks: ['{"message":"Invalid API key"}'] },
      'model-unauthorized',
      /Invalid API key/,
    ],
    [
      "a proxy's HTML page: 413",
      { status: 413, headers: html, chunks: page('413 Too Large') },
      'model-too-large',
      /^413: an HTML page/,
    ],
    [
      "a proxy's JSON: 413",
      { status: 413, headers: json, chunks: ['{"message":"Payload too large"}'] },
      'model-too-large',
      /^413: Payload/,
    ],
    [
      "a proxy's HTML page: 502",
      { status: 502, headers: html, chunks: page('502 Bad Gateway') },
      'model-unreachable',
      /^502: an HTML page/,
    ],
    [
      "a proxy's HTML page: 504",
      { status: 504, headers: html, chunks: page('504') },
      'model-unreachable',
      /^504: an HTML page/,
    ],
    [
      'an HTML page instead of an answer',
      { headers: html, chunks: page('Welcome') },
      'model-garbage',
      /^200 text\/html/,
    ],
    [
      'a conversation that is too long',
      {
        status: 413,
        headers: json,
        chunks: ['{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}'],
      },
      'model-context-full',
      /prompt is too long/,
    ],
    [
      'too large max_tokens, of OpenAI',
      {
        status: 400,
        headers: json,
        chunks: [
          '{"error":{"message":"max_tokens is too large: 100000. This model supports at most 4096 completion tokens."}}',
        ],
      },
      'model-failed',
      /max_tokens/,
    ],
    [
      'too large max_tokens, of vLLM',
      {
        status: 400,
        headers: json,
        chunks: [
          `{"object":"error","message":"'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 8192 tokens and your request has 12 input tokens."}`,
        ],
      },
      'model-failed',
      /too large/,
    ],
    [
      'too large max_tokens, with a count',
      {
        status: 400,
        headers: json,
        chunks: [
          `{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 100012 tokens (12 in the messages, 100000 in the completion)."}}`,
        ],
      },
      'model-failed',
      /requested/,
    ],
    [
      'an allowed range of tokens',
      {
        status: 400,
        headers: json,
        chunks: [
          '{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"}}',
        ],
      },
      'model-failed',
      /valid range/,
    ],
  ])(
    'has the right message for users, and its reason for administrators: %s',
    async (what, response, code, reason) => {
      const { last } = await turnAlways(response);
      expect(last).toMatchObject({ type: 'error', code, reason: expect.stringMatching(reason) });
      const sentence = last?.type === 'error' ? last.message : '';
      expect(/maxOutputTokens/.test(sentence)).toBe(what.includes('tokens'));
      expect(/of this size/.test(sentence)).toBe(what.endsWith('413'));
    },
  );
});
