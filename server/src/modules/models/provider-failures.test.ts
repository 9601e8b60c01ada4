import { Problem } from '@knowhow/shared/problem';
import { describe, expect, it } from 'vitest';
import {
  createModelConfig,
  type Gathered,
  gather,
  greeting,
  neverAborted,
  openWireModel,
  wires,
} from '../../testing/ask-wire.ts';
import { type ScriptedResponse, scriptedHttp } from '../../testing/scripted-http.ts';
import { openModel } from './open-model.ts';

const json = { 'content-type': 'application/json' };

const server = scriptedHttp();

/** The thrown problem; also checks that it discloses no secrets. */
function thrownProblem({ error }: Gathered): Problem {
  expect(error).toBeInstanceOf(Problem);
  const thrown = error as Problem;
  expect(thrown.message).toContain('"Tested"');
  expect(JSON.stringify(thrown.toBody())).not.toMatch(
    /secret-key|127\.0\.0\.1|http:|vendor's words/,
  );
  return thrown;
}

describe.each(wires)('$provider', (wire) => {
  const answerTo = (response: ScriptedResponse) => {
    server.reply(response, response, response);
    return gather(openWireModel(wire, server.origin)(greeting, neverAborted));
  };
  const errorChunks = (words: string) => [wire.errorBody(words)];

  it.each([
    [401, 'model-unauthorized', /TESTED_1_API_KEY or [A-Z]+_API_KEY/, 1],
    [403, 'model-unauthorized', /Ask the administrator/, 1],
    [404, 'model-not-found', /modelId/, 1],
    [402, 'model-unavailable', /credit/, 1],
    [429, 'model-rate-limited', /Try again in a minute/, 3],
    [400, 'model-failed', /settings/, 1],
    [500, 'model-failed', /Try again/, 3],
    [502, 'model-unreachable', /overloaded/, 3],
    [503, 'model-unreachable', /overloaded/, 3],
    [504, 'model-unreachable', /overloaded/, 1],
    [529, 'model-unreachable', /overloaded/, 3],
  ])('turns status %i into %s', async (status, code, advice, requests) => {
    const answer = await answerTo({ status, headers: json, chunks: errorChunks("vendor's words") });
    expect(thrownProblem(answer)).toMatchObject({
      code,
      message: expect.stringMatching(advice),
      retryAfter: undefined,
      reason: expect.stringMatching(new RegExp(`^${status}\\b.*: vendor's words$`)),
    });
    expect(server.requests).toHaveLength(requests);
  });

  it.each([
    [{ 'retry-after': '17' }, 17],
    [{ 'retry-after': '1', 'retry-after-ms': '12500' }, 13],
  ])('passes on the retry delay immediately: %o', async (headers, seconds) => {
    const answer = await answerTo({
      status: 429,
      headers: { ...json, ...headers },
      chunks: errorChunks("vendor's words"),
    });
    expect(thrownProblem(answer)).toMatchObject({
      code: 'model-rate-limited',
      retryAfter: seconds,
      message: expect.stringContaining(`Try again in ${seconds} seconds.`),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('detects that a conversation is too long', async () => {
    const { status, body } = wire.contextFull;
    const answer = await answerTo({ status, headers: json, chunks: [body] });
    expect(thrownProblem(answer).code).toBe('model-context-full');
  });

  it('keeps the text before an error in the middle of the stream', async () => {
    const stream = wire.answer({ text: ['So far '] });
    const upTo = stream.findIndex((event) => event.includes('So far ')) + 1;
    const answer = await answerTo({ chunks: [...stream.slice(0, upTo), wire.errorEvent] });
    expect(answer.text).toBe('So far ');
    expect(thrownProblem(answer).code).toMatch(/^model-(failed|unreachable)$/);
  });

  it.each(['cut', 'end'] as const)('reports a stream that is interrupted by %s', async (ending) => {
    const stream = wire.answer({ text: ['So far ', 'so good'] });
    const upTo = stream.findIndex((event) => event.includes('So far ')) + 1;
    const answer = await answerTo({ chunks: stream.slice(0, upTo), ending });
    expect(answer.text).toBe('So far ');
    expect(thrownProblem(answer).code).toBe('model-interrupted');
  });

  it('reports a stream that is interrupted within an event', async () => {
    const stream = wire.answer({ text: ['So far ', 'so good'] }).join('');
    const answer = await answerTo({ chunks: [stream.slice(0, stream.indexOf('so good') + 3)] });
    expect(thrownProblem(answer).code).toBe('model-interrupted');
  });

  it.each([
    ['an HTML page', { headers: { 'content-type': 'text/html' }, chunks: ['<h1>Welcome</h1>'] }],
    ['a plain answer', { headers: json, chunks: ['{"choices": []}'] }],
    ['broken JSON', { chunks: ['event: message_start\ndata: {"choices": [{]\n\n'] }],
    ['no events', { chunks: ['lorem ipsum\n\ndolor\n\n'] }],
    ['nothing', { chunks: [] }],
  ])('reports %s as a malformed response', async (_, response) => {
    expect(thrownProblem(await answerTo(response)).code).toBe('model-garbage');
  });

  it('reports that the model refused', async () => {
    const answer = await answerTo({ chunks: wire.answer({ stop: 'refused' }) });
    expect(thrownProblem(answer).code).toBe('model-refused');
  });

  it('does not follow redirects', async () => {
    const answer = await answerTo({ status: 307, headers: { location: `${server.origin}/else` } });
    expect(thrownProblem(answer).code).toBe('model-unreachable');
    expect(server.requests).toHaveLength(1);
  });

  it('reports an unreachable server', async () => {
    const { origin } = server;
    await server.close();
    const answer = await gather(openWireModel(wire, origin)(greeting, neverAborted));
    expect(thrownProblem(answer)).toMatchObject({
      code: 'model-unreachable',
      message: expect.stringContaining('Ask the administrator to check that its server runs'),
    });
  });

  it.each([
    ['times out if a provider never answers', { mute: true }, 'model-unreachable'],
    ['times out if a stream falls silent', { ending: 'silence' }, 'model-interrupted'],
  ] as const)('%s', async (_, response, code) => {
    server.reply(response);
    const ask = openModel(createModelConfig(wire, server.origin), 'secret-key', { silenceMs: 200 });
    expect(thrownProblem(await gather(ask(greeting, neverAborted))).code).toBe(code);
    await server.requests[0]?.abandoned;
  });
});
