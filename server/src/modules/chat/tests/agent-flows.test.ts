import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { agentFlow, createTextZip } from '../../../testing/foreign-skills.ts';
import { listenOn } from '../../../testing/listen-on.ts';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  withAllTools,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelRequest } from '../../models/model.ts';

let server: TestServer;
afterEach(() => server.close());

interface Asked {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that flows call: records requests and returns its URL. */
async function otherServer(
  answers: Record<string, { status?: number; body: string; type?: string }>,
) {
  const asked: Asked[] = [];
  const port = await listenOn(
    createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      const answer = answers[request.url ?? ''];
      if (answer?.body === 'never') {
        return;
      }
      response.writeHead(answer?.status ?? (answer ? 200 : 404), {
        'content-type': answer?.type ?? 'application/json',
      });
      response.end(answer?.body ?? 'no such page');
    }),
  );
  return { asked, url: `http://127.0.0.1:${port}` };
}

interface Setting {
  steps: unknown[];
  script: Parameters<typeof scriptedModel>;
  changes?: Record<string, unknown>;
  platform?: unknown;
  /** Whether the user has to consent, as by default. */
  asks?: boolean;
}

const unasked = { tools: { 'skills/flow_weather_report': { consent: 'never' } } };

/** Imports a flow and has a model call it in a turn. */
async function start({ steps, script, changes = {}, platform, asks = false }: Setting) {
  const model = scriptedModel(...script);
  server = await startTestServer({
    model: model.ask,
    files: {
      ...withAllTools,
      ...(asks ? {} : { 'config/tools.json': unasked }),
      'config/platform.json': platform ?? { outbound: { allowPrivate: ['127.0.0.1'] } },
    },
  });
  const zip = createTextZip({ 'agent-flows/a.json': agentFlow(steps, changes) });
  const imported = await postArchive(await signInAdmin(server), 'import', zip, 'application/zip');
  expect(imported.ok).toBe(true);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  return { model, visitor };
}

const run = (input: Record<string, unknown> = {}) => [
  calls(['flow_weather_report', input]),
  says('Done.'),
];
const lastResult = (request: ModelRequest | undefined) =>
  String(request?.messages.at(-1)?.content ?? '');
const get = (url: string, more: Record<string, unknown> = {}) => ({
  type: 'apiCall',
  config: { url, method: 'GET', responseVariable: 'answer', ...more },
});

describe('a flow', () => {
  test('runs its steps in order, each visible, with the values of earlier ones', async () => {
    const other = await otherServer({
      '/weather/Bern': { body: '{"days":[{"sky":{"of day":"clear"}}]}' },
      '/page': {
        body: '<title>T</title><p>Warm &amp; dry</p><script>x</script>',
        type: 'text/html',
      },
    });
    const steps = [
      get(`${other.url}/weather/\${city}`, { headers: [{ key: 'X-Key', value: 'k-${city}' }] }),
      { type: 'webScraping', config: { url: `${other.url}/page`, resultVariable: 'page' } },
      {
        type: 'llmInstruction',
        config: {
          instruction: "Say it: ${answer.days[0].sky['of day']}, ${page}, ${unknown}",
          resultVariable: 'text',
        },
      },
    ];
    const script = [calls(['flow_weather_report', {}]), says('It is clear.'), says('Done.')];
    const { model, visitor } = await start({ steps, script });
    const turn = await takeTurn(visitor, { message: 'How is the weather?' });
    const [first, asked, next] = model.requests;
    expect(first?.tools).toContainEqual(
      expect.objectContaining({
        name: 'flow_weather_report',
        description: 'Says what the weather is like.',
      }),
    );
    expect(other.asked[0]).toMatchObject({
      line: 'GET /weather/Bern',
      headers: { 'x-key': 'k-Bern' },
    });
    expect(lastResult(asked)).toBe('Say it: clear, Warm & dry, ${unknown}');
    expect(JSON.parse(lastResult(next))).toMatchObject({
      page: 'Warm & dry',
      text: 'It is clear.',
    });
    const progress = turn.events.filter(({ type }) => type === 'tool.progress');
    expect(progress.map((event) => 'text' in event && event.text)).toEqual([
      expect.stringMatching(/^Step 1 of 3: asks 127\.0\.0\.1/),
      expect.stringMatching(/^Step 2 of 3: reads a page of/),
      'Step 3 of 3: asks the model',
    ]);
  });

  test('uses its arguments instead of its defaults', async () => {
    const other = await otherServer({ '/weather/Rome': { body: '"hot"' } });
    const { model, visitor } = await start({
      steps: [get(`${other.url}/weather/\${city}`)],
      script: run({ city: 'Rome' }),
    });
    await takeTurn(visitor, { message: 'Rome?' });
    expect(lastResult(model.requests[1])).toBe('hot');
  });

  test.each([
    ['text', 'Sunny.', 'Sunny.'],
    ['JSON', '{"a":1}', '```json\n{\n  "a": 1\n}\n```'],
  ])('returns %s of a step with direct output to the user as the answer', async (_, body, text) => {
    const other = await otherServer({ '/a': { body }, '/b': { body: '2' } });
    const { model, visitor } = await start({
      steps: [get(`${other.url}/a`, { directOutput: true }), get(`${other.url}/b`)],
      script: [calls(['flow_weather_report', {}]), says('Next.')],
    });
    const turn = await takeTurn(visitor, { message: 'Go' });
    expect(turn.text).toBe(text);
    expect(turn.events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
    expect(model.requests).toHaveLength(1);
    expect(other.asked).toHaveLength(1);
    const { conversationId } = turn;
    const next = await takeTurn(visitor, { message: 'And?', conversationId });
    expect(next.text).toBe('Next.');
    expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: text },
      { role: 'user', content: 'And?' },
    ]);
  });

  test('asks the model again if a step with direct output fails', async () => {
    const other = await otherServer({});
    const { model, visitor } = await start({
      steps: [get(`${other.url}/a`, { directOutput: true })],
      script: run(),
    });
    const turn = await takeTurn(visitor, { message: 'Go' });
    expect(turn.text).toBe('Done.');
    expect(lastResult(model.requests[1])).toContain('the server answered 404');
  });

  test.each([
    ['a space and a slash', 'St. Gallen/Ost', 'St.%20Gallen%2FOst'],
    ['a query', 'Bern?key=1#x', 'Bern%3Fkey%3D1%23x'],
    ['parent folders', '../admin', '..%2Fadmin'],
    ['an umlaut', 'Zürich', 'Z%C3%BCrich'],
    ['a lone surrogate', 'a\uD800', 'a%EF%BF%BD'],
  ])('encodes a value with %s in a URL', async (_, city, encoded) => {
    const line = `/weather/${encoded}?of=${encoded}`;
    const other = await otherServer({ [line]: { body: '"ok"' } });
    const { model, visitor } = await start({
      steps: [get(`${other.url}/weather/\${city}?of=\${city}`)],
      script: run({ city }),
    });
    await takeTurn(visitor, { message: 'Go' });
    expect(other.asked.map((asked) => asked.line)).toEqual([`GET ${line}`]);
    expect(lastResult(model.requests[1])).toBe('ok');
  });

  test.each([
    ['the complete URL', '${city}', '/a?b=c%20d', '/a?b=c%20d'],
    ['its beginning', '${city}/start', '', '/start'],
  ])('takes %s from a value verbatim', async (_, url, value, line) => {
    const other = await otherServer({ [line]: { body: '1' } });
    const { visitor } = await start({
      steps: [get(url)],
      script: run({ city: `${other.url}${value}` }),
    });
    await takeTurn(visitor, { message: 'Go' });
    expect(other.asked.map((asked) => asked.line)).toEqual([`GET ${line}`]);
  });

  test('stops at the first failing step, and returns the results before it', async () => {
    const other = await otherServer({ '/a': { body: '{"a":1}' } });
    const { model, visitor } = await start({
      steps: [get(`${other.url}/a`), get(`${other.url}/none`), get(`${other.url}/a`)],
      script: run(),
    });
    await takeTurn(visitor, { message: 'Go' });
    expect(lastResult(model.requests[1])).toBe(
      'Step 2 of 3 of "Weather Report" failed: the server answered 404. no such page Before that: {"answer":{"a":1}}',
    );
    expect(other.asked).toHaveLength(2);
  });

  test('stops at an invalid path, and reports it', async () => {
    const other = await otherServer({ '/a': { body: '{"b":[]}' } });
    const { model, visitor } = await start({
      steps: [get(`${other.url}/a`), get(`${other.url}/\${answer.b[0]['c']}`)],
      script: run(),
    });
    await takeTurn(visitor, { message: 'Go' });
    expect(lastResult(model.requests[1])).toContain(
      `\${answer.b[0]['c']} leads nowhere: there is no "0" in answer.b.`,
    );
    expect(other.asked).toHaveLength(1);
  });

  test('reaches only hosts in the local network that an operator allows (SSRF)', async () => {
    const other = await otherServer({ '/a': { body: '"secret"' } });
    const { model, visitor } = await start({
      steps: [get(`${other.url}/a`)],
      script: run(),
      platform: {},
    });
    await takeTurn(visitor, { message: 'Go' });
    expect(lastResult(model.requests[1])).toContain('failed');
    expect(lastResult(model.requests[1])).not.toContain('secret');
    expect(other.asked).toEqual([]);
  });

  test.each([
    ['POST', 'POST /order', '{"city":"${city}"}', ''],
    ['GET', 'GET /order?city=Bern', undefined, '?city=${city}'],
  ])('that sends its values with %s requires consent', async (method, line, body, query) => {
    const other = await otherServer({
      '/order': { body: '"ok"' },
      '/order?city=Bern': { body: '"ok"' },
    });
    const config = { url: `${other.url}/order${query}`, method, bodyType: 'json', body };
    const { model, visitor } = await start({
      steps: [{ type: 'apiCall', config }],
      script: run(),
      asks: true,
    });
    const conversationId = crypto.randomUUID();
    const turn = takeTurn(visitor, { message: 'Go', conversationId });
    const path = `/api/conversations/${conversationId}/consents/call-0`;
    await waitFor(async () => (await visitor(path, { json: { decision: 'once' } })).ok);
    await turn;
    expect(other.asked).toMatchObject([{ line, body: body ? '{"city":"Bern"}' : '' }]);
    expect(lastResult(model.requests[1])).toBe('ok');
  });

  const hostile = [
    '","admin":true,"x":"',
    '"}, {"admin": true',
    'line\nbreak\t\u0001',
    '\\',
    '\\"',
    '\\u0022,\\u0022admin\\u0022:true',
    '${other}',
    '$&$1',
    'Zürich 😀',
    '{"admin":true}',
    '7,"admin":true',
  ];
  const bodies: [string, string, (value: string) => unknown][] = [
    ['json', '{"a":"${city}"}', (a) => ({ a })],
    ['json', '[ "in ${city}, ${city}" ]', (city) => [`in ${city}, ${city}`]],
    ['json', '{"\\"":"\\\\","a":{"b":["${city}"]}}', (city) => ({ '"': '\\', a: { b: [city] } })],
    ['json', '"${city}"', (city) => city],
    ['text', '{"a":"${city}"}', (a) => ({ a })],
    ['text', ' { "a" : "${city}" } ', (a) => ({ a })],
  ];
  test.each(bodies)(
    'sends a %s body %s in which a value stays a text',
    async (bodyType, body, to) => {
      const other = await otherServer({ '/order': { body: '"ok"' } });
      const config = { url: `${other.url}/order`, method: 'POST', bodyType, body };
      const each = hostile.map((city) => calls(['flow_weather_report', { city }]));
      const { visitor } = await start({
        steps: [{ type: 'apiCall', config }],
        script: [...each, says('Done.')],
      });
      await takeTurn(visitor, { message: 'Go' });
      expect(other.asked.map((asked) => JSON.parse(asked.body))).toEqual(hostile.map(to));
    },
  );

  test.each([
    ['5', 5],
    ['true', true],
    ['Bern', 'Bern'],
    ['7,"admin":true', '7,"admin":true'],
    ['0}, "b": {"c": 1', '0}, "b": {"c": 1'],
    ['"', '"'],
  ])('sends %s without quotes as one value', async (city, value) => {
    const other = await otherServer({ '/order': { body: '"ok"' } });
    const body = '{"a": ${city}, "b": [${city}]}';
    const config = { url: `${other.url}/order`, method: 'POST', bodyType: 'json', body };
    const { visitor } = await start({
      steps: [{ type: 'apiCall', config }],
      script: run({ city }),
    });
    await takeTurn(visitor, { message: 'Go' });
    expect(JSON.parse(other.asked[0]?.body ?? '')).toEqual({ a: value, b: [value] });
  });

  test.each(['{"a":"${city}', '{"a" ${city}}', '{${city}: 1}'])(
    'sends nothing when its body %s is not JSON without the values',
    async (body) => {
      const other = await otherServer({ '/order': { body: '"ok"' } });
      const config = { url: `${other.url}/order`, method: 'POST', bodyType: 'json', body };
      const script = run({ city: '","admin":true}' });
      const { visitor, model } = await start({ steps: [{ type: 'apiCall', config }], script });
      await takeTurn(visitor, { message: 'Go' });
      expect(other.asked).toEqual([]);
      expect(lastResult(model.requests[1])).toContain('is not valid JSON');
    },
  );

  test('that only reads fixed URLs requires no consent', async () => {
    const other = await otherServer({ '/a': { body: '"a"' } });
    const { model, visitor } = await start({
      steps: [get(`${other.url}/a`)],
      script: run(),
      asks: true,
    });
    await takeTurn(visitor, { message: 'Go' });
    expect(lastResult(model.requests[1])).toBe('a');
  });

  test('that exceeds the maximum of model requests per call fails', async () => {
    const ask = { type: 'llmInstruction', config: { instruction: 'Say a.' } };
    const answers = Array.from({ length: 8 }, () => says('a'));
    const { model, visitor } = await start({
      steps: Array.from({ length: 9 }, () => ask),
      script: [calls(['flow_weather_report', {}]), ...answers, says('Done.')],
    });
    await takeTurn(visitor, { message: 'Go' });
    expect(lastResult(model.requests.at(-1))).toContain('Step 9 of 9');
  });

  test('with exponentially growing values ends, without blocking others', async () => {
    const page = JSON.stringify({ sky: 1, days: Array.from({ length: 200_000 }, () => [1]) });
    const other = await otherServer({ '/page': { body: page } });
    const say = (instruction: string) => ({ type: 'llmInstruction', config: { instruction } });
    const { model, visitor } = await start({
      steps: [
        { type: 'webScraping', config: { url: `${other.url}/page`, resultVariable: 'page' } },
        say('${page.sky}'.repeat(5000)),
        say('${page}'.repeat(5000)),
      ],
      script: [calls(['flow_weather_report', {}]), says('a'), says('Done.')],
    });
    const pause = await measureLongestPause(
      () => takeTurn(visitor, { message: 'Go' }),
      processorClock,
    );
    expect(lastResult(model.requests.at(-1))).toMatch(/^Step 3 of 3 .* 4000000 characters/);
    expect(pause).toBeLessThan(1000);
  });

  test('reads a page of unclosed tags in linear time', async () => {
    const body = `Warm ${'<br'.repeat(300_000)}`;
    const other = await otherServer({ '/page': { body, type: 'text/html' } });
    const steps = [{ type: 'webScraping', config: { url: `${other.url}/page` } }];
    const { model, visitor } = await start({ steps, script: run() });
    await takeTurn(visitor, { message: 'Go' });
    expect(lastResult(model.requests[1])).toContain('Warm');
  });

  test('with an endless selector search does not block others', async () => {
    const body = '<div><p>'.repeat(3000);
    const other = await otherServer({ '/page': { body, type: 'text/html' } });
    const selecting = { captureAs: 'querySelector', querySelector: 'div '.repeat(40) };
    const steps = [{ type: 'webScraping', config: { url: `${other.url}/page`, ...selecting } }];
    const { visitor } = await start({ steps, script: run() });
    const conversationId = crypto.randomUUID();
    const turn = takeTurn(visitor, { message: 'Go', conversationId });
    await waitFor(() => other.asked.length === 1);
    const pause = await measureLongestPause(() => wait(500));
    expect(pause).toBeLessThan(300);
    await visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    expect((await turn).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
  });

  test('extracts what a selector matches, and reports when nothing does', async () => {
    const body = '<ul><li>Warm &amp; <b>dry</b></li><li>Late</li></ul>';
    const other = await otherServer({ '/page': { body, type: 'text/html' } });
    const select = (querySelector: string) => ({
      type: 'webScraping',
      config: { url: `${other.url}/page`, captureAs: 'querySelector', querySelector },
    });
    const steps = [select('li'), select('li[[')];
    const { model, visitor } = await start({ steps, script: run() });
    await takeTurn(visitor, { message: 'Go' });
    expect(lastResult(model.requests[1])).toMatch(/Step 2 of 2 .* its selector is none/);
    expect(lastResult(model.requests[1])).toContain('Warm &amp; <b>dry</b>\\nLate');
  });

  test('ends when the answer is stopped', async () => {
    const other = await otherServer({ '/a': { body: 'never' } });
    const { visitor } = await start({ steps: [get(`${other.url}/a`)], script: run() });
    const conversationId = crypto.randomUUID();
    const turn = takeTurn(visitor, { message: 'Go', conversationId });
    await waitFor(() => other.asked.length === 1);
    await visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    expect((await turn).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
  });
});
