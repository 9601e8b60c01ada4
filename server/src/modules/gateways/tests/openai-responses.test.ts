import OpenAI, { APIError } from 'openai';
import type { FunctionTool, ResponseInput } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeKey } from '../../../testing/make-key.ts';
import {
  calls,
  type ScriptedModel,
  type Step,
  says,
  scriptedModel,
} from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';

let server: TestServer;
let openai: OpenAI;
let model: ScriptedModel;

beforeAll(async () => {
  server = await startTestServer({ model: (...asked) => model.ask(...asked) });
  const { key } = await makeKey(server, await signInAdmin(server), ['chat']);
  openai = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterAll(() => server.close());
beforeEach(() => script(says('Hello.')));

const script = (...steps: Step[]) => {
  model = scriptedModel(...steps);
};
const asks = { model: 'chat', input: 'Hi' };
const activate = calls(['activate_skill', { skill_name: 'meeting-notes' }]);
const weather: FunctionTool = {
  ...{ type: 'function', name: 'get_weather', description: 'The weather.', strict: false },
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

test('an answer is complete, with its usage and the active skill', async () => {
  script(activate, says('Noted.'));
  const { data, response } = await openai.responses
    .create({ ...asks, instructions: 'Be brief.', max_output_tokens: 50 })
    .withResponse();
  expect(data).toMatchObject({ object: 'response', status: 'completed', output_text: 'Noted.' });
  expect(data.usage).toMatchObject({ input_tokens: 10, output_tokens: 5, total_tokens: 15 });
  expect(response.headers.get('x-knowhow-skills')).toBe('meeting-notes');
  expect(model.requests[0]?.system).toContain('Be brief.');
  expect(model.requests[0]?.maxOutputTokens).toBe(50);
});

test('an answer is streamed as events that OpenAI’s client assembles', async () => {
  script([{ type: 'text', text: 'Hel' }, ...says('lo.')]);
  const stream = openai.responses.stream(asks);
  const types = [];
  for await (const { type } of stream) {
    types.push(type.replace('response.', ''));
  }
  expect(types).toEqual([
    ...['created', 'in_progress', 'output_item.added', 'content_part.added'],
    ...['output_text.delta', 'output_text.delta', 'output_text.done'],
    ...['content_part.done', 'output_item.done', 'completed'],
  ]);
  expect((await stream.finalResponse()).output).toMatchObject([{ content: [{ text: 'Hello.' }] }]);
});

test("the client's tools are called, and its results continue with the skill of the calls", async () => {
  script(activate, calls(['get_weather', { city: 'Bonn' }]), says('Rain in Bonn.'));
  const tools = [weather];
  const stream = openai.responses.stream({ ...asks, tools });
  const { output } = await stream.finalResponse();
  const [call] = output;
  if (call?.type !== 'function_call') {
    throw new Error('No tool was called.');
  }
  expect(JSON.parse(call.arguments)).toEqual({ city: 'Bonn' });
  const input: ResponseInput = [
    { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
    call,
    { type: 'function_call_output', call_id: call.call_id, output: 'Rain' },
  ];
  const { data, response } = await openai.responses
    .create({ ...asks, tools, input })
    .withResponse();
  expect(data.output_text).toBe('Rain in Bonn.');
  expect(response.headers.get('x-knowhow-skills')).toBe('meeting-notes');
  expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'tool'],
  ]);
});

test('an answer is JSON if the client requests that', async () => {
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const format = { type: 'json_schema' as const, name: 'nothing', schema, strict: true };
  await openai.responses.create({ ...asks, text: { format } });
  expect(model.requests[0]?.answerSchema).toEqual({ name: 'nothing', schema });
});

describe('rejects, with the field', () => {
  test.each<[string, object, string]>([
    ['an image', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input'],
    ['an unknown role', { input: [{ role: 'robot', content: 'Hi' }] }, 'input'],
    [
      'a result without its call',
      { input: [{ type: 'function_call_output', call_id: 'x', output: '' }] },
      'input',
    ],
    ['a stored response', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['a background response', { background: true }, 'background'],
    ['a tool of an unknown type', { tools: [{ type: 'web_search' }] }, 'tools.0.type'],
  ])('%s', async (_, wanted, param) => {
    const refusal: unknown = await openai.responses
      .create({ ...asks, ...wanted, stream: false })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request', param });
    expect(model.requests).toEqual([]);
  });
});
