import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import OpenAI, { APIError } from 'openai';
import type {
  ChatCompletionCreateParams,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeKey } from '../../../testing/make-key.ts';
import { readReport } from '../../../testing/read-report.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import {
  calls,
  type ScriptedModel,
  type Step,
  says,
  scriptedModel,
  untilAborted,
} from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelEvent } from '../../models/model.ts';

let server: TestServer;
let admin: Visitor;
let ann: SignedIn;
let key: string;
let openai: OpenAI;
let model: ScriptedModel;

const clientWith = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
const script = (...steps: Step[]) => {
  model = scriptedModel(...steps);
};

beforeAll(async () => {
  server = await startTestServer({
    files: {
      ...rightsFiles,
      'apps/other.json': { id: 'other', name: 'Other', system: 'Be other.', skills: [] },
      'skills/hidden/SKILL.md': skillFile('hidden', 'Nobody sees it.'),
    },
    model: (...asked) => model.ask(...asked),
  });
  admin = await signInAdmin(server);
  ann = await signInNew(server, admin, { username: 'ann', groups: ['staff'] });
  ({ key } = await makeKey(server, ann.visitor, ['chat']));
  openai = clientWith(key);
});
afterAll(() => server.close());
beforeEach(() => script(says('Hello.')));

const user = (content: string) => ({ role: 'user' as const, content });
const weather: ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const asks = { model: 'chat', messages: [user('Hi')] };
const activate = calls(['activate_skill', { skill_name: 'meeting-notes' }]);
const askWeather = calls(['get_weather', { city: 'Bonn' }]);
const whole = async (wanted: Partial<ChatCompletionCreateParams> = {}) =>
  openai.chat.completions
    .create({ ...asks, ...wanted, stream: false } as typeof asks & { stream: false })
    .withResponse();

async function all<Piece>(stream: AsyncIterable<Piece>): Promise<Piece[]> {
  const pieces = [];
  for await (const piece of stream) {
    pieces.push(piece);
  }
  return pieces;
}

/** The error that OpenAI's client reports. */
async function refusalOf(wanted: Promise<unknown>) {
  const error: unknown = await wanted.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof APIError)) {
    throw new Error(`It was not refused as OpenAI does: ${String(error)}`);
  }
  const { status, code, type, param, message } = error;
  return { status, code, type, param, message };
}

/** A request that no OpenAI client would send. */
const post = (body: unknown) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
const codeOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { param: string | null; code: string } };
  return [response.status, error.code, error.param];
};

describe('models', () => {
  test('are the apps that the caller may use, each also with its models', async () => {
    const { data } = await openai.models.list();
    const ids = data.map(({ id }) => id);
    expect(ids).toContain('chat');
    expect(ids).toContain('other/scripted');
    expect(await openai.models.retrieve('chat/scripted')).toMatchObject({ object: 'model' });
    expect(await refusalOf(openai.models.retrieve('chat/none'))).toMatchObject({ status: 404 });
  });

  test('without permission look like missing ones', async () => {
    const out = await signInNew(server, admin, { username: 'out', groups: ['outside'] });
    const outside = clientWith((await makeKey(server, out.visitor, ['chat'])).key);
    expect((await outside.models.list()).data).toEqual([]);
    const [forbidden, invented] = [
      await refusalOf(outside.chat.completions.create(asks)),
      await refusalOf(outside.chat.completions.create({ ...asks, model: 'nope' })),
    ];
    expect(forbidden).toMatchObject({ status: 404, code: 'not_found', param: 'model' });
    expect(invented.message).toBe(forbidden.message.replace('chat', 'nope'));
  });
});

describe('an answer', () => {
  test('is complete, with its usage, and is not stored', async () => {
    const { data, response } = await whole({
      model: 'chat/scripted',
      messages: [
        { role: 'system', content: 'Answer in verse.' },
        user('One'),
        { role: 'assistant', content: 'First' },
        { role: 'user', content: [{ type: 'text', text: 'Two' }] },
      ],
      temperature: 0.3,
      max_tokens: 77,
    });
    expect(data).toMatchObject({
      object: 'chat.completion',
      model: 'chat/scripted',
      choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
    expect(response.headers.get('x-knowhow-skills')).toBe('');
    expect(data.id).toBe(`chatcmpl-${response.headers.get('x-knowhow-conversation')}`);
    const [request] = model.requests;
    expect(request?.system).toMatch(/^You are helpful\.\n\nAnswer in verse\./);
    expect(request).toMatchObject({ temperature: 0.3, maxOutputTokens: 77 });
    expect(request?.messages).toEqual([
      user('One'),
      { role: 'assistant', content: 'First', toolCalls: [] },
      user('Two'),
    ]);
    const list = await (await ann.visitor('/api/conversations')).json();
    expect(list).toEqual({ items: [], total: 0 });
  });

  test('with large chunks waits for its reader (backpressure), and leaks no listeners', async () => {
    const piece = 'a'.repeat(200_000);
    script([
      ...Array.from({ length: 20 }, () => ({ type: 'text' as const, text: piece })),
      ...says('.'),
    ]);
    const pieces = await all(await openai.chat.completions.create({ ...asks, stream: true }));
    expect(pieces.filter(({ choices }) => choices[0]?.delta.content === piece)).toHaveLength(20);
  });

  test('is streamed, with its usage at the end', async () => {
    script([{ type: 'text', text: 'Hel' }, ...says('lo.')]);
    const stream = await openai.chat.completions.create({
      ...asks,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces = await all(stream);
    const words = pieces.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ''));
    expect(words).toEqual(['', 'Hel', 'lo.', '']);
    expect(pieces.map(({ usage }) => usage?.total_tokens)).toEqual([
      ...[undefined, undefined, undefined, undefined],
      15,
    ]);
    expect(pieces.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(pieces.at(-1)?.choices).toEqual([]);
    expect(new Set(pieces.map(({ id }) => id)).size).toBe(1);
  });

  test('is JSON matching a schema if the client requests that', async () => {
    const schema = {
      ...{ type: 'object', properties: { city: { type: 'string' } } },
      ...{ required: ['city'], additionalProperties: false },
    };
    const json_schema = { name: 'a-city', schema, strict: true };
    await whole({ response_format: { type: 'json_schema', json_schema } });
    await whole({ response_format: { type: 'json_object' } });
    const [strict, plain] = model.requests;
    expect(strict?.answerSchema).toEqual({ name: 'a_city', schema });
    expect(strict?.system).toContain(JSON.stringify(schema));
    expect([plain?.answerSchema, plain?.system.includes('one JSON object')]).toEqual([
      undefined,
      true,
    ]);
  });

  test('that is truncated says so', async () => {
    script([
      { type: 'text', text: 'Hel' },
      { type: 'stop', reason: 'length' },
    ]);
    expect((await whole()).data.choices[0]?.finish_reason).toBe('length');
  });
});

describe('skills', () => {
  test('are activated by the model, in a round that the client does not see', async () => {
    script(activate, says('Noted.'));
    const { data, response } = await whole();
    expect(data.choices[0]).toMatchObject({ message: { content: 'Noted.' } });
    expect(data.choices[0]?.message.tool_calls).toBeUndefined();
    expect(response.headers.get('x-knowhow-skills')).toBe('meeting-notes');
    expect(data).toMatchObject({ knowhow: { skills: ['meeting-notes'] } });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('<skill_content');
  });

  test('are listed before the first chunk of an answer, and at its end', async () => {
    script(activate, says('Noted.'));
    const { data: stream, response } = await openai.chat.completions
      .create({ ...asks, stream: true })
      .withResponse();
    expect(response.headers.get('x-knowhow-skills')).toBe('meeting-notes');
    const pieces = await all(stream);
    expect(pieces.at(-1)).toMatchObject({ knowhow: { skills: ['meeting-notes'] } });
  });

  test('are activated on request of the client', async () => {
    const before = await readReport(admin);
    const { response } = await whole({ metadata: { skills: 'release-notes, meeting-notes' } });
    const { totals } = await readReport(admin);
    expect(totals.answers - before.totals.answers).toBe(1);
    expect(totals.answersWithSkill - before.totals.answersWithSkill).toBe(1);
    expect((totals.activations.api ?? 0) - (before.totals.activations.api ?? 0)).toBe(2);
    expect(totals.activations.slash).toBe(0);
    expect(response.headers.get('x-knowhow-skills')).toBe('release-notes,meeting-notes');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Be brief.');
  });

  test('without permission are rejected with the same message as missing ones', async () => {
    const [hidden, invented] = [
      await refusalOf(whole({ metadata: { skills: 'hidden' } })),
      await refusalOf(whole({ metadata: { skills: 'nope' } })),
    ];
    expect(hidden).toMatchObject({ status: 404 });
    expect(invented.message).toBe(hidden.message.replace('hidden', 'nope'));
    expect(model.requests).toEqual([]);
  });
});

describe("the client's tools", () => {
  const tools = [weather];

  test('are called by the model and run by the client, with the skill that requested them', async () => {
    script(activate, askWeather, says('Rain in Bonn.'));
    const first = (await whole({ tools })).data.choices[0];
    expect(first?.finish_reason).toBe('tool_calls');
    const [call] = first?.message.tool_calls ?? [];
    expect(call).toMatchObject({
      function: { name: 'get_weather', arguments: '{"city":"Bonn"}' },
    });
    expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('get_weather');
    const { data, response } = await whole({
      tools,
      messages: [
        user('Hi'),
        first?.message ?? user(''),
        { role: 'tool', tool_call_id: call?.id ?? '', content: 'Rain' },
      ],
    });
    expect(data.choices[0]?.message.content).toBe('Rain in Bonn.');
    expect(response.headers.get('x-knowhow-skills')).toBe('meeting-notes');
    const [words, asked, result] = model.requests[2]?.messages ?? [];
    expect(words?.content).toContain('<skill_content');
    expect(asked).toMatchObject({
      toolCalls: [{ id: 'call-0', name: 'get_weather', input: { city: 'Bonn' } }],
    });
    expect(result).toMatchObject({ role: 'tool', callId: 'call-0', content: 'Rain' });
  });

  test('are streamed as complete calls', async () => {
    script(askWeather);
    const stream = await openai.chat.completions.create({ ...asks, tools, stream: true });
    const pieces = await all(stream);
    expect(pieces.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])).toMatchObject([
      { index: 0, id: 'call-0', function: { name: 'get_weather', arguments: '{"city":"Bonn"}' } },
    ]);
    expect(pieces.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  test('wait for a skill that is requested in the same answer', async () => {
    const both = calls(
      ['get_weather', { city: 'Bonn' }],
      ['activate_skill', { skill_name: 'meeting-notes' }],
    );
    script(both, askWeather);
    const { data } = await whole({ tools });
    expect(data.choices[0]?.message.tool_calls).toHaveLength(1);
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('get_weather');
  });

  test("follow the client's tool_choice", async () => {
    await whole({ tools, tool_choice: 'none' });
    await whole({ tools, tool_choice: 'required' });
    const [none, required] = model.requests;
    expect(none?.tools.map(({ name }) => name)).not.toContain('get_weather');
    expect(required?.system).toContain('calling the tool get_weather');
  });

  test('carry no skill without permission, whatever a call ID says', async () => {
    const id = `call-0.kh.${Buffer.from('hidden\nmeeting-notes').toString('base64url')}`;
    const { response } = await whole({
      tools,
      messages: [
        user('Hi'),
        {
          role: 'assistant',
          tool_calls: [
            { id, type: 'function', function: { name: 'get_weather', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: id, content: 'Rain' },
      ],
    });
    expect(response.headers.get('x-knowhow-skills')).toBe('meeting-notes');
  });
});

describe('errors', () => {
  const result = { role: 'tool', tool_call_id: 'call-9', content: 'Rain' };
  const called = {
    role: 'assistant',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{' } }],
  };
  const levels = '['.repeat(5000) + ']'.repeat(5000);
  const deeply = { id: 'a', type: 'function', function: { name: 'x', arguments: levels } };
  const deeplyCalled = { role: 'assistant', tool_calls: [deeply] };
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
  test.each<[string, object, string | null]>([
    ['no messages', { messages: [] }, 'messages'],
    ['an unknown role', { messages: [{ role: 'robot', content: 'Hi' }] }, 'messages.0.role'],
    ['only a system message', { messages: [{ role: 'system', content: 'Hi' }] }, 'messages.0'],
    [
      'an assistant message at the end',
      { messages: [user('Hi'), { role: 'assistant', content: 'Hi' }] },
      'messages.1',
    ],
    ['a result without its call', { messages: [user('Hi'), result] }, 'messages.1'],
    ['a call without its result', { messages: [user('Hi'), called, user('And?')] }, 'messages.2'],
    [
      'a call with arguments nested thousands of levels',
      { messages: [user('Hi'), deeplyCalled, { ...result, tool_call_id: 'a' }] },
      'messages.1',
    ],
    ['an image', { messages: [{ role: 'user', content: [picture] }] }, 'messages.0'],
    ['several choices', { n: 2 }, 'n'],
    ['a stop sequence', { stop: ['END'] }, 'stop'],
    ['a tool of an unknown type', { tools: [{ type: 'web_search' }] }, 'tools.0.type'],
    [
      'a tool with the name of a built-in one',
      { tools: [{ type: 'function', function: { name: 'activate_skill' } }] },
      'tools',
    ],
    ['two tools with one name', { tools: [weather, weather] }, 'tools'],
    [
      'a tool whose parameters are not a schema',
      { tools: [{ ...weather, function: { name: 'x', parameters: { properties: 5 } } }] },
      'tools.0.function.parameters.properties',
    ],
    [
      'a tool_choice without such a tool',
      { tool_choice: { type: 'function', function: { name: 'x' } } },
      'tool_choice',
    ],
    ['too many messages', { messages: Array.from({ length: 4001 }, () => user('Hi')) }, 'messages'],
  ])('rejects %s, with the field', async (_, wanted, param) => {
    expect(await codeOf(await post({ ...asks, ...wanted }))).toEqual([
      400,
      'invalid_request',
      param,
    ]);
    expect(model.requests).toEqual([]);
  });

  test('thousands of messages are accepted, within the context window', async () => {
    const messages = Array.from({ length: 3999 }, (_, index) =>
      index % 2 === 0 ? user('Hi') : { role: 'assistant', content: 'Hello' },
    );
    expect((await post({ ...asks, messages })).status).toBe(200);
  });

  test('messages beyond the context window are dropped, and not summarised at each request', async () => {
    const long = 'A long story. '.repeat(300);
    const messages = Array.from({ length: 61 }, (_, index) =>
      index % 2 === 0 ? user(`${index} ${long}`) : { role: 'assistant', content: long },
    );
    expect((await post({ ...asks, messages })).status).toBe(200);
    expect(model.requests).toHaveLength(1);
    const sent = model.requests[0]?.messages ?? [];
    expect(sent[0]?.content).toContain('they do not fit');
    expect(sent.at(-1)?.content).toContain('60 A long story.');
  });

  test("10 MB, a body that is not JSON, and an unknown path are rejected in OpenAI's format", async () => {
    const large = await post({ ...asks, messages: [user('x'.repeat(10_000_000))] });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const broken = await fetch(`${server.url}/v1/chat/completions`, {
      ...{ method: 'POST', headers, body: '{' },
    });
    const unknown = await fetch(`${server.url}/v1/engines`, { headers });
    expect([await codeOf(large), await codeOf(broken), await codeOf(unknown)]).toEqual([
      [413, 'too_large', null],
      [400, 'bad_request', null],
      [404, 'not_found', null],
    ]);
  });

  test('rejects an unknown key, or one with another scope', async () => {
    const other = await makeKey(server, ann.visitor, ['mcp']);
    const refused = await Promise.all(
      ['sk-none', `kh_${'A'.repeat(43)}`, other.key].map((wrong) =>
        refusalOf(clientWith(wrong).chat.completions.create(asks)),
      ),
    );
    expect(refused).toMatchObject([
      { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
      { status: 401, code: 'invalid_api_key' },
      { status: 403, type: 'permission_error' },
    ]);
    expect(refused.map(({ message }) => message).join()).not.toContain('A'.repeat(9));
  });

  test('a failing model is an error with its status; mid-stream, an error that ends the stream', async () => {
    script([problem('model-rate-limited', 'The model has no time. Try again later.')]);
    expect(await refusalOf(whole())).toMatchObject({ status: 503, code: 'model_rate_limited' });
    const failure = problem('model-interrupted', 'The connection to the model broke off.');
    script([{ type: 'text', text: 'Hel' }, failure]);
    const stream = await openai.chat.completions.create({ ...asks, stream: true });
    expect(await refusalOf(all(stream))).toMatchObject({ code: 'model_interrupted' });
  });

  test('disconnecting stops the model, and revoking a key ends the answer', async () => {
    let hasEnded = false;
    const words: ModelEvent = { type: 'text', text: 'Slowly' };
    const slowly: Step = [
      words,
      (signal) =>
        untilAborted(signal).finally(() => {
          hasEnded = true;
        }),
    ];
    script(slowly);
    const stream = await openai.chat.completions.create({ ...asks, stream: true });
    for await (const piece of stream) {
      if (piece.choices[0]?.delta.content) {
        break;
      }
    }
    await waitFor(() => hasEnded);
    const made = await makeKey(server, ann.visitor, ['chat']);
    script(slowly);
    const begun = await clientWith(made.key).chat.completions.create({ ...asks, stream: true });
    await ann.visitor(`/api/account/keys/${made.id}`, { method: 'DELETE' });
    expect(await refusalOf(all(begun))).toMatchObject({ code: 'invalid_api_key' });
  });

  test('ignores additional fields of Open WebUI', async () => {
    const response = await post({
      ...asks,
      ...{ stream: true, stream_options: { include_usage: true }, seed: 0, top_p: 0.9 },
      ...{ stop: null, tools: [], functions: [], logit_bias: {}, user: randomUUID() },
      ...{ metadata: { user_id: 'u', chat_id: 'c' }, reasoning_effort: null, max_tokens: null },
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toMatch(/\n\ndata: \[DONE\]\n\n$/);
  });
});

test('an answer counts for its user and the operator', async () => {
  const files = { 'config/platform.json': { rateLimit: { requests: 0, turns: 1 } } };
  const limited = await startTestServer({ files });
  const own = await signInAdmin(limited);
  await own('/metrics');
  const { program } = await makeKey(limited, own, ['chat']);
  const complete = () => program('/v1/chat/completions', { json: asks });
  expect((await complete()).status).toBe(200);
  const tooMany = await complete();
  expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await codeOf(tooMany)).toEqual([429, 'rate_limit_exceeded', null]);
  const metrics = await (await own('/metrics')).text();
  expect(metrics).toMatch(/^gen_ai_invoke_agent_duration_count\{.*"chat".*\} 1$/m);
  await limited.close();
});
