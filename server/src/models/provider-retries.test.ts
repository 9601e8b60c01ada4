import { describe, expect, it } from 'vitest';
import { askOf, configOf, gather, greeting, neverAborted, wires } from '../testing/ask-wire.ts';
import { type ScriptedResponse, scriptedHttp } from '../testing/scripted-http.ts';
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
  const ask = () => gather(askOf(wire, server.origin)(greeting, neverAborted));

  it.each<[string, ScriptedResponse]>([
    ['too many requests', refusal(429)],
    ['a server that is overloaded', refusal(529)],
    ['a connection that is cut before the head', { mute: true, ending: 'cut' }],
    ['a connection that is cut before the first token', { ending: 'cut' }],
  ])('is asked again after %s', async (_what, failure) => {
    server.reply(failure, failure, whole);
    const answer = await ask();
    expect(answer).toMatchObject({ text: 'Here I am.', stop: 'stop', error: undefined });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.body).toEqual(server.requests[0]?.body);
  });

  it('is not asked again once it has said something', async () => {
    const upTo = whole.chunks.findIndex((event) => event.includes('Here I am.')) + 1;
    server.reply({ chunks: whole.chunks.slice(0, upTo), ending: 'cut' }, whole);
    const answer = await ask();
    expect(answer.text).toBe('Here I am.');
    expect(answer.error).toMatchObject({ code: 'model-interrupted' });
    expect(server.requests).toHaveLength(1);
  });

  it('is not asked again where that cannot help', async () => {
    server.reply(refusal(429, '{"error": {"code": "insufficient_quota"}}'), whole);
    expect((await ask()).error).toMatchObject({ message: expect.stringContaining('credit') });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the wait before a model is asked again', () => {
  const [wire] = wires as [(typeof wires)[number]];
  const slow = () =>
    openModel(configOf(wire, server.origin), 'secret-key', { backOffMs: [5000, 5000] });

  it.each([[429], [503]])('is what its provider asks for, with %i', async (status) => {
    const headers = { ...json, 'retry-after': '1' };
    server.reply({ status, headers, chunks: ['{}'] }, { chunks: wire.answer({ text: ['Hi'] }) });
    const waits: number[] = [];
    for await (const event of askOf(wire, server.origin)(greeting, neverAborted)) {
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

  it('is not begun when it would go on beyond ten seconds', async () => {
    server.reply({ status: 503, headers: { 'retry-after': '11' } });
    expect((await gather(slow()(greeting, neverAborted))).error).toMatchObject({ retryAfter: 11 });
    expect(server.requests).toHaveLength(1);
  });
});
