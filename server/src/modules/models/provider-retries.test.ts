import { describe, expect, it } from 'vitest';
import {
  createModelConfig,
  gather,
  greeting,
  neverAborted,
  openWireModel,
  wires,
} from '../../testing/ask-wire.ts';
import { type ScriptedResponse, scriptedHttp } from '../../testing/scripted-http.ts';
import { dataEvent } from '../../testing/vendor-wire.ts';
import { openModel } from './open-model.ts';

const json = { 'content-type': 'application/json' };

const server = scriptedHttp();

describe.each(wires)('$provider', (wire) => {
  const whole = { chunks: wire.answer({ text: ['Here I am.'] }) };
  const refusal = (status: number, body = wire.errorBody('later')): ScriptedResponse => ({
    status,
    headers: json,
    chunks: [body],
  });
  const ask = () => gather(openWireModel(wire, server.origin)(greeting, neverAborted));

  it.each<[string, ScriptedResponse]>([
    ['too many requests', refusal(429)],
    ['an overloaded server', refusal(529)],
    ['a connection cut before the headers', { mute: true, ending: 'cut' }],
    ['a connection cut before the first token', { ending: 'cut' }],
  ])('is retried after %s', async (_what, failure) => {
    server.reply(failure, failure, whole);
    const answer = await ask();
    expect(answer).toMatchObject({ text: 'Here I am.', stop: 'stop', error: undefined });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.body).toEqual(server.requests[0]?.body);
  });

  it('is not retried after its first output', async () => {
    const upTo = whole.chunks.findIndex((event) => event.includes('Here I am.')) + 1;
    server.reply({ chunks: whole.chunks.slice(0, upTo), ending: 'cut' }, whole);
    const answer = await ask();
    expect(answer.text).toBe('Here I am.');
    expect(answer.error).toMatchObject({ code: 'model-interrupted' });
    expect(server.requests).toHaveLength(1);
  });

  it('is not retried after a permanent error', async () => {
    server.reply(refusal(429, '{"error": {"code": "insufficient_quota"}}'), whole);
    expect((await ask()).error).toMatchObject({ message: expect.stringContaining('credit') });
    expect(server.requests).toHaveLength(1);
  });
});

const json400 = (message: string, status = 400): ScriptedResponse => ({
  status,
  headers: json,
  chunks: [JSON.stringify({ error: { message } })],
});
const candidate = (fields: object) => dataEvent({ candidates: [fields] });
const chatEnd = (finish_reason: string) => dataEvent({ choices: [{ delta: {}, finish_reason }] });

describe('a model without a usable answer is retried once:', () => {
  const thought = candidate({ content: { parts: [{ text: 'Hmm.', thought: true }] } });
  it.each<[string, string, ScriptedResponse]>([
    [
      'a malformed call from Gemini',
      'google',
      { chunks: [candidate({ finishReason: 'MALFORMED_FUNCTION_CALL' })] },
    ],
    [
      'a malformed call after thinking',
      'google',
      {
        chunks: [
          thought,
          candidate({ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(x)' }),
        ],
      },
    ],
    [
      'an unexpected call from Gemini',
      'google',
      { chunks: [candidate({ finishReason: 'UNEXPECTED_TOOL_CALL' })] },
    ],
    [
      'an empty candidates array',
      'google',
      { chunks: [dataEvent({ candidates: [], usageMetadata: { promptTokenCount: 3 } })] },
    ],
    [
      'no candidates field',
      'google',
      { chunks: [dataEvent({ usageMetadata: { promptTokenCount: 3 } })] },
    ],
    [
      'a malformed call behind a gateway',
      'openai',
      { chunks: [chatEnd('malformed_function_call')] },
    ],
    [
      'a failed call from Groq',
      'openai',
      {
        ...json400(''),
        chunks: [
          JSON.stringify({
            error: {
              message: 'Failed to call a function. Please adjust your prompt.',
              code: 'tool_use_failed',
            },
          }),
        ],
      },
    ],
    [
      'a call that Ollama cannot parse',
      'openai',
      json400("error parsing tool call: raw='{', err=unexpected end of JSON input", 500),
    ],
    [
      'a call that Bedrock cannot parse',
      'openai',
      json400('Model produced invalid sequence as part of ToolUse.'),
    ],
  ])('%s', async (_what, provider, failure) => {
    const wire = wires.find((each) => each.provider === provider);
    if (!wire) {
      throw new Error('Unknown wire.');
    }
    const ask = openWireModel(wire, server.origin);
    server.reply(failure, { chunks: wire.answer({ text: ['Here I am.'] }) });
    expect(await gather(ask(greeting, neverAborted))).toMatchObject({
      text: 'Here I am.',
      error: undefined,
    });
    server.reply(failure, failure, { chunks: wire.answer({ text: ['Too late.'] }) });
    const { error } = await gather(ask(greeting, neverAborted));
    expect(error).toMatchObject({ code: expect.stringMatching(/^model-(failed|empty)$/) });
    expect(server.requests).toHaveLength(4);
  });

  it('but not after it has written text', async () => {
    const [wire] = wires.filter(({ provider }) => provider === 'google') as [
      (typeof wires)[number],
    ];
    const parts = [{ text: 'So far.' }];
    server.reply({
      chunks: [
        candidate({ content: { parts } }),
        candidate({ finishReason: 'MALFORMED_FUNCTION_CALL' }),
      ],
    });
    const { text, error } = await gather(
      openWireModel(wire, server.origin)(greeting, neverAborted),
    );
    expect([text, error]).toMatchObject(['So far.', { reason: 'MALFORMED_FUNCTION_CALL' }]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('the wait before a retry', () => {
  const [wire] = wires as [(typeof wires)[number]];
  const slow = () =>
    openModel(createModelConfig(wire, server.origin), 'secret-key', { backOffMs: [5000, 5000] });

  it.each([[429], [503]])('follows the Retry-After header of status %i', async (status) => {
    const headers = { ...json, 'retry-after': '1' };
    server.reply({ status, headers, chunks: ['{}'] }, { chunks: wire.answer({ text: ['Hi'] }) });
    const waits: number[] = [];
    for await (const event of openWireModel(wire, server.origin)(greeting, neverAborted)) {
      if (event.type === 'retry') {
        waits.push(event.waitMs);
      }
    }
    expect(waits).toEqual([1000]);
  });

  it('ends when the turn is stopped', async () => {
    server.reply({ status: 503 });
    const stop = new AbortController();
    const began = performance.now();
    const reading = async () => {
      for await (const event of slow()(greeting, stop.signal)) {
        expect(event).toMatchObject({ type: 'retry', why: { code: 'model-unreachable' } });
        setImmediate(() => stop.abort());
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
    expect(performance.now() - began).toBeLessThan(3000);
    expect(server.requests).toHaveLength(1);
  });

  it('is skipped if it would exceed ten seconds', async () => {
    server.reply({ status: 503, headers: { 'retry-after': '11' } });
    expect((await gather(slow()(greeting, neverAborted))).error).toMatchObject({ retryAfter: 11 });
    expect(server.requests).toHaveLength(1);
  });
});
