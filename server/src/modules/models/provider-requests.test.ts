import type { ModelConfig } from '@knowhow/shared/config/models';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createModelConfig,
  gather,
  greeting,
  neverAborted,
  openWireModel,
  wires,
} from '../../testing/ask-wire.ts';
import { scriptedHttp } from '../../testing/scripted-http.ts';
import { openModel } from './open-model.ts';

const server = scriptedHttp();
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe.each(wires)('a request to $provider', (wire) => {
  const tokens = wire.answer({ text: ['one ', 'two ', 'three '] });
  const firstToken = tokens.slice(0, tokens.findIndex((event) => event.includes('one ')) + 1);

  it('goes to the configured address and path, with the key in its header', async () => {
    server.reply({ chunks: tokens }, { chunks: tokens });
    const prefix = `${server.origin}/gateway${wire.path}`;
    for (const url of [server.origin, prefix]) {
      expect((await gather(openWireModel(wire, url)(greeting, neverAborted))).stop).toBe('stop');
    }
    const [name, value] = wire.keyHeader;
    expect(server.requests.map(({ method, path }) => [method, path])).toEqual([
      ['POST', wire.path],
      ['POST', `/gateway${wire.path}`],
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      [name]: value,
      'content-type': 'application/json',
      'user-agent': 'knowhow',
    });
    expect(server.requests[0]?.path).not.toContain('secret-key');
  });

  it('ignores the environment', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    for (const vendor of ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'GOOGLE_GEMINI', 'MISTRAL']) {
      vi.stubEnv(`${vendor}_API_KEY`, 'stray-key');
      vi.stubEnv(`${vendor}_AUTH_TOKEN`, 'stray-token');
      vi.stubEnv(`${vendor}_BASE_URL`, 'http://127.0.0.1:9');
      vi.stubEnv(`${vendor}_LOG`, 'debug');
    }
    vi.stubEnv('OPENAI_ORG_ID', 'stray-organisation');
    vi.stubEnv('OPENAI_PROJECT_ID', 'stray-project');
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-stray: stray-header\nx-api-key: stray-key');
    vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'true');
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'stray-project');
    server.reply({ chunks: tokens });
    const answer = await gather(openWireModel(wire, server.origin)(greeting, neverAborted));
    expect(answer).toMatchObject({ text: 'one two three ', stop: 'stop' });
    expect(JSON.stringify(server.requests)).not.toContain('stray');
  });

  it('has only the necessary headers', async () => {
    server.reply({ chunks: tokens });
    await gather(openWireModel(wire, server.origin)(greeting, neverAborted));
    expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual(
      [
        ...['accept', 'connection', 'content-length'],
        ...['content-type', 'host', 'user-agent', wire.keyHeader[0]],
        ...(wire.provider === 'anthropic' ? ['anthropic-version'] : []),
      ].sort(),
    );
  });

  it('prints nothing, regardless of the response', async () => {
    const printed = (['debug', 'error', 'info', 'log', 'warn'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    server.reply(
      { chunks: tokens },
      { chunks: [wire.errorEvent] },
      { chunks: ['event: message_start\ndata: {"broken\n\n'] },
      { status: 401, chunks: [wire.errorBody('no')] },
      { chunks: firstToken, ending: 'cut' },
    );
    const thinking: ModelConfig['thinking'] = { enabled: true, budget: 2000 };
    const ask = openWireModel({ ...wire, modelId: 'claude-opus-4-6' }, server.origin, { thinking });
    for (let count = 0; count < 5; count += 1) {
      await gather(ask(greeting, neverAborted));
    }
    // There are more requests if an error in the stream is retried.
    expect(server.requests.length).toBeGreaterThanOrEqual(5);
    expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  it('closes its socket when aborted in the middle of the answer', async () => {
    server.reply({ chunks: firstToken, ending: 'silence' });
    const controller = new AbortController();
    const events = openWireModel(wire, server.origin)(greeting, controller.signal)[
      Symbol.asyncIterator
    ]();
    await events.next();
    const reason = new Error('The user stopped.');
    const next = events.next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    await server.requests[0]?.abandoned;
  });

  it('closes its socket when aborted before the answer', async () => {
    server.reply({ mute: true });
    const controller = new AbortController();
    const answer = gather(openWireModel(wire, server.origin)(greeting, controller.signal));
    await vi.waitUntil(() => server.requests.length === 1);
    controller.abort();
    expect((await answer).error).toBe(controller.signal.reason);
    await server.requests[0]?.abandoned;
  });

  it('closes its socket when the reader stops early', async () => {
    server.reply({ chunks: firstToken, ending: 'silence' });
    for await (const event of openWireModel(wire, server.origin)(greeting, neverAborted)) {
      expect(event.type).toBe('text');
      break;
    }
    await server.requests[0]?.abandoned;
  });

  it('is not sent if it was aborted before', async () => {
    const answer = await gather(
      openWireModel(wire, server.origin)(greeting, AbortSignal.abort('early')),
    );
    expect(answer.error).toBe('early');
    expect(server.requests).toEqual([]);
  });

  it('omits an answer that was stopped before its first word', async () => {
    server.reply({ chunks: tokens });
    await gather(
      openWireModel(wire, server.origin)(
        {
          ...greeting,
          messages: [
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content: ' ', toolCalls: [] },
            { role: 'user', content: 'Hello again' },
          ],
        },
        neverAborted,
      ),
    );
    expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/"role":"(assistant|model)"/);
  });

  it("is limited to the model's maximum output", async () => {
    server.reply({ chunks: tokens });
    const ask = openWireModel(wire, server.origin, { maxOutputTokens: 4321 });
    await gather(ask({ ...greeting, maxOutputTokens: 9000 }, neverAborted));
    expect(JSON.stringify(server.requests[0]?.body)).toContain('4321');
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('9000');
  });
});

it('sends no key to a server that needs none', async () => {
  for (const wire of wires) {
    server.reply({ chunks: wire.answer({ text: ['Hi'] }) });
    const config = createModelConfig(wire, server.origin);
    const answer = await gather(openModel(config, undefined)(greeting, neverAborted));
    expect(answer).toMatchObject({ text: 'Hi', stop: 'stop' });
    expect(server.requests.at(-1)?.headers).not.toHaveProperty(wire.keyHeader[0]);
  }
});
