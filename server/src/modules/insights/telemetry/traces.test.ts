import { randomUUID } from 'node:crypto';
import { Problem } from '@knowhow/shared/problem';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { memorySource } from '../../../testing/memory-source.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../../../testing/otlp-receiver.ts';
import { calls, says, scriptedModel, untilAborted } from '../../../testing/scripted-model.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, withAllTools } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

type Options = Parameters<typeof startTestServer>[0];

async function startTraced(receiver: OtlpReceiver | { url: string }, options: Options = {}) {
  const server = await startTestServer({
    ...options,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...options.environment },
  });
  onTestFinished(server.close);
  return server;
}

/** A log that records its lines. */
function recordingLog() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

const findSpan = ({ spans }: OtlpReceiver, name: string) => {
  const found = spans.filter((span) => span.name === name);
  expect(found, `spans named ${name}`).toHaveLength(1);
  return found[0] as (typeof found)[number];
};

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

test('traces a turn: request, turn, model requests, tool calls and activations', async () => {
  const receiver = await startOtlpReceiver();
  const { ask } = scriptedModel(
    calls(['activate_skill', { skill_name: 'meeting-notes' }], ['no such tool', {}]),
    says('Two decisions.'),
  );
  const server = await startTraced(receiver, { model: ask });
  const turn = await takeTurn(server.visitor(), {
    message: 'A secret of Ann.',
    skills: ['release-notes'],
    headers: { traceparent },
  });
  await server.stop();

  const request = findSpan(receiver, 'POST /api/apps/:appId/chat/:conversationId');
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 2 });
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
  });
  const root = findSpan(receiver, 'invoke_agent chat');
  expect(root).toMatchObject({ traceId, parentSpanId: request.spanId, status: { code: 0 } });
  expect(root.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'chat',
    'gen_ai.conversation.id': turn.conversationId,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 5,
  });
  const models = receiver.spans.filter(({ name }) => name === 'chat scripted');
  expect(models.map(({ attributes }) => attributes)).toMatchObject([
    { 'gen_ai.response.finish_reasons': ['tool-calls'] },
    {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'local',
      'gen_ai.request.model': 'scripted',
      'gen_ai.request.stream': true,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'knowhow.purpose': 'answer',
    },
  ]);
  const activated = findSpan(receiver, 'execute_tool activate_skill meeting-notes');
  expect(activated.attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'activate_skill',
    'gen_ai.skill.name': 'meeting-notes',
    'knowhow.skill.via': 'model',
    'knowhow.skill.outcome': 'activated',
    'knowhow.skill.tokens': expect.any(Number),
  });
  const unknown = findSpan(receiver, 'execute_tool _OTHER');
  expect(unknown).toMatchObject({ status: { code: 2 } });
  const picked = findSpan(receiver, 'activate_skill release-notes');
  expect(picked.attributes).toMatchObject({
    'gen_ai.skill.name': 'release-notes',
    'knowhow.skill.via': 'slash',
    'knowhow.skill.outcome': 'activated',
  });
  for (const span of [...models, activated, unknown, picked]) {
    expect(span).toMatchObject({ traceId, parentSpanId: root.spanId });
    expect(span.startTimeUnixNano).toBeGreaterThanOrEqual(root.startTimeUnixNano);
    expect(span.endTimeUnixNano).toBeGreaterThanOrEqual(span.startTimeUnixNano);
  }
  expect(receiver.resources[0]).toMatchObject({ 'service.name': 'knowhow' });
  const sent = receiver.bodies.join('\n');
  for (const text of ['secret', 'decisions', 'no such tool', 'anonymous:']) {
    expect(sent).not.toContain(text);
  }
  expect([...receiver.metrics]).toEqual(
    expect.arrayContaining([
      'gen_ai.invoke_agent.duration',
      'gen_ai.client.operation.duration',
      'gen_ai.client.token.usage',
      'knowhow.skill.activations',
      'http.server.request.duration',
    ]),
  );
});

test('traces a tool call with its name but without its arguments and result', async () => {
  const receiver = await startOtlpReceiver();
  const { ask } = scriptedModel(
    calls(['calculate', { expression: '4321.5 * 1.5' }]),
    says('6482.25.'),
  );
  const server = await startTraced(receiver, { model: ask, files: withAllTools });
  await takeTurn(server.visitor(), { message: 'What is 4321.5 times 1.5?' });
  await server.stop();
  expect(findSpan(receiver, 'execute_tool calculate').attributes).toMatchObject({
    'gen_ai.tool.name': 'calculate',
  });
  expect(receiver.bodies.join()).not.toMatch(/4321\.5|6482\.25/);
});

test('counts denied activations without the requested name', async () => {
  const receiver = await startOtlpReceiver();
  const activation = (skill: string): [string, unknown] => [
    'activate_skill',
    { skill_name: skill },
  ];
  const { ask } = scriptedModel(
    calls(activation('meeting-notes'), activation('meeting-notes'), activation('of-others')),
    says('Done.'),
  );
  const server = await startTraced(receiver, { model: ask });
  await takeTurn(server.visitor(), { message: 'Go.' });
  await server.stop();
  const attempts = receiver.spans
    .filter(({ attributes }) => attributes['knowhow.skill.outcome'] !== undefined)
    .map(({ attributes }) => [
      attributes['knowhow.skill.outcome'],
      attributes['gen_ai.skill.name'],
      attributes['error.type'],
    ]);
  expect(attempts).toEqual([
    ['activated', 'meeting-notes', undefined],
    ['already-active', 'meeting-notes', undefined],
    ['refused', undefined, 'tool-error'],
  ]);
  expect(receiver.bodies.join()).not.toContain('of-others');
});

test('marks a failed turn as an error and logs its trace ID', async () => {
  const receiver = await startOtlpReceiver();
  const { log, lines } = recordingLog();
  const failure = new Problem('model-unauthorized', 'The key is wrong.');
  const server = await startTraced(receiver, { model: scriptedModel([failure]).ask, log });
  await takeTurn(server.visitor(), { message: 'Go.' });
  await server.stop();
  const root = findSpan(receiver, 'invoke_agent chat');
  expect(root).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': 'model-unauthorized' },
  });
  expect(findSpan(receiver, 'chat scripted')).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': 'model-unauthorized' },
  });
  expect(lines.find(({ msg }) => msg === 'a turn failed')).toMatchObject({
    trace_id: root.traceId,
  });
});

const untilReason = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test.each([
  ['with its own error', untilAborted],
  ['with the abort reason', untilReason],
])('does not mark a stopped turn as an error if the model ends %s', async (_, wait) => {
  const receiver = await startOtlpReceiver();
  const { ask, requests } = scriptedModel([{ type: 'text', text: 'Half' }, wait]);
  const server = await startTraced(receiver, { model: ask });
  const visitor = server.visitor();
  // A first request gives the visitor a cookie.
  await visitor('/api/apps');
  const conversationId = randomUUID();
  const turn = takeTurn(visitor, { conversationId, message: 'Go.' });
  await waitFor(() => requests.length > 0);
  await visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
  await turn;
  await server.stop();
  const root = findSpan(receiver, 'invoke_agent chat');
  expect(root.attributes['gen_ai.response.finish_reasons']).toEqual(['aborted']);
  for (const span of [root, findSpan(receiver, 'chat scripted')]) {
    expect(span.status.code).toBe(0);
    expect(span.attributes).not.toHaveProperty('error.type');
  }
});

test('marks a failed request as an error and logs its trace ID', async () => {
  const receiver = await startOtlpReceiver();
  const { log, lines } = recordingLog();
  const broken = memorySource({ broken: { 'SKILL.md': skillFile('broken', 'Has a file.') } });
  broken.open = () => Promise.reject(new Error('The disk is broken.'));
  const server = await startTraced(receiver, { log, skillSources: [broken] });
  const visitor = server.visitor();
  expect((await visitor('/api/skills/broken/files/one.md')).status).toBe(500);
  expect((await visitor('/api/skills/nothing')).status).toBe(404);
  await server.stop();
  const failed = findSpan(receiver, 'GET /api/skills/:name/files/*path');
  expect(failed).toMatchObject({
    status: { code: 2 },
    attributes: { 'http.response.status_code': 500, 'error.type': '500' },
  });
  expect(findSpan(receiver, 'GET /api/skills/:name').status.code).toBe(0);
  expect(lines.find(({ msg }) => msg === 'a request failed')).toMatchObject({
    trace_id: failed.traceId,
  });
});

test.each(['nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `${traceparent},x`])(
  'starts a new trace for a malformed header: %s',
  async (wrong) => {
    const receiver = await startOtlpReceiver();
    const server = await startTraced(receiver);
    await takeTurn(server.visitor(), { message: 'Go.', headers: { traceparent: wrong } });
    await server.stop();
    const request = findSpan(receiver, 'POST /api/apps/:appId/chat/:conversationId');
    expect(request.traceId).not.toBe(traceId);
    expect(request.parentSpanId ?? '').toBe('');
    expect(findSpan(receiver, 'invoke_agent chat').traceId).toBe(request.traceId);
  },
);

test('does not export unsampled traces', async () => {
  const receiver = await startOtlpReceiver();
  const server = await startTraced(receiver, {
    environment: { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
  });
  const visitor = server.visitor();
  await takeTurn(visitor, { message: 'Not this.' });
  await takeTurn(visitor, { message: 'But this.', headers: { traceparent } });
  await server.stop();
  expect(new Set(receiver.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(findSpan(receiver, 'invoke_agent chat')).toBeDefined();
});

test('an unavailable collector affects neither turns nor shutdown, and is logged once', async () => {
  const { log, lines } = recordingLog();
  const server = await startTraced(
    { url: 'http://127.0.0.1:9' },
    {
      log,
      environment: { OTEL_METRIC_EXPORT_INTERVAL: '100', OTEL_EXPORTER_OTLP_TIMEOUT: '100' },
    },
  );
  const { text } = await takeTurn(server.visitor(), { message: 'Go.' });
  expect(text).toBe('Hello.');
  await waitFor(() => lines.some(({ msg }) => String(msg).startsWith('metrics cannot be sent')));
  const began = performance.now();
  await server.stop();
  expect(performance.now() - began).toBeLessThan(7000);
  const failures = lines.filter(({ msg }) => String(msg).includes('metrics cannot be sent'));
  expect(failures).toHaveLength(1);
});

test('a collector that never answers affects neither turns nor shutdown', async () => {
  const receiver = await startOtlpReceiver({ hangs: true });
  const server = await startTraced(receiver);
  const visitor = server.visitor();
  await takeTurn(visitor, { message: 'Go.' });
  await waitFor(() => receiver.bodies.length > 0);
  const { text } = await takeTurn(visitor, { message: 'Go on.' });
  expect(text).toBe('Hello.');
  const began = performance.now();
  await server.stop();
  expect(performance.now() - began).toBeLessThan(7000);
});

test('keeps a skill name with non-ASCII letters', async () => {
  const receiver = await startOtlpReceiver();
  const name = 'notizen-für-alle';
  const server = await startTraced(receiver, {
    files: { [`skills/${name}/SKILL.md`]: skillFile(name, 'Takes notes.') },
  });
  await takeTurn(server.visitor(), { message: 'Go.', skills: [name] });
  await server.stop();
  expect(findSpan(receiver, `activate_skill ${name}`).attributes['gen_ai.skill.name']).toBe(name);
});
