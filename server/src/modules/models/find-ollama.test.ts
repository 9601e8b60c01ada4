import { modelConfigSchema } from '@knowhow/shared/config/models';
import { describe, expect, it } from 'vitest';
import { scriptedHttp } from '../../testing/scripted-http.ts';
import { findOllama } from './find-ollama.ts';

const server = scriptedHttp();

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  chunks: [JSON.stringify(body)],
});

describe('a running Ollama', () => {
  it('lists its models with their capabilities', async () => {
    server.reply(
      json({ models: [{ name: 'Qwen3:8b', model: 'Qwen3:8b', size: 1 }] }),
      json({ models: [] }),
      json({
        capabilities: ['completion', 'tools', 'vision', 'thinking'],
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 },
      }),
    );
    const models = await findOllama({ origin: server.origin, timeoutMs: 10_000 });
    expect(models).toEqual([
      {
        id: 'ollama-qwen3-8b',
        modelId: 'Qwen3:8b',
        name: 'Qwen3:8b (Ollama)',
        provider: 'local',
        url: `${server.origin}/v1/chat/completions`,
        supportsTools: true,
        supportsVision: true,
        contextWindow: 4096,
        default: false,
        enabled: true,
      },
    ]);
    expect(modelConfigSchema.array().parse(models)).toEqual(models);
    expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/tags', undefined],
      ['GET', '/api/ps', undefined],
      ['POST', '/api/show', { model: 'Qwen3:8b' }],
    ]);
  });

  const loaded = { name: 'qwen3', context_length: 16_384 };
  const trained = { model_info: { 'qwen3.context_length': 40_960 } };
  it.each([
    ['the default context window of 4,096 tokens', { models: [] }, trained, 4096],
    ['the context window of a loaded model', { models: [loaded] }, trained, 16_384],
    [
      'the context window set in its Modelfile',
      {},
      { ...trained, parameters: 'stop "x"\nnum_ctx    8192\n' },
      8192,
    ],
    [
      'at most the context window the model supports',
      {},
      { model_info: { 'a.context_length': 2048 } },
      2048,
    ],
    [
      '4,096 tokens for invalid responses',
      { models: 'many' },
      { parameters: 'num_ctx many' },
      4096,
    ],
  ])('reports %s', async (_, running, shown, contextWindow) => {
    server.reply(json({ models: [{ name: 'qwen3' }] }), json(running), json(shown));
    const [model] = await findOllama({ origin: server.origin, timeoutMs: 10_000 });
    expect(model?.contextWindow).toBe(contextWindow);
  });

  it('offers no tools for a model without details', async () => {
    server.reply(json({ models: [{ name: 'llama3.2:latest' }] }), { status: 404 }, { status: 404 });
    expect(await findOllama({ origin: server.origin, timeoutMs: 10_000 })).toMatchObject([
      { id: 'ollama-llama3.2', name: 'llama3.2 (Ollama)', supportsTools: false },
    ]);
  });

  it('skips models that cannot chat', async () => {
    server.reply(
      json({ models: [{ name: 'nomic' }] }),
      { status: 404 },
      json({ capabilities: ['embedding'] }),
    );
    expect(await findOllama({ origin: server.origin, timeoutMs: 10_000 })).toEqual([]);
  });
});

describe('no Ollama', () => {
  it.each([
    ['an error', { status: 500 }],
    ['another server', { headers: { 'content-type': 'text/html' }, chunks: ['<html>'] }],
    ['another API', json({ models: 'many' })],
    ['a server that does not answer', { mute: true }],
    ['a server that does not finish', { chunks: ['{"models":'], ending: 'silence' as const }],
  ])('is assumed for %s', async (_, response) => {
    server.reply(response);
    expect(await findOllama({ origin: server.origin, timeoutMs: 200 })).toEqual([]);
  });

  it('is assumed for a closed port', async () => {
    const { origin } = server;
    await server.close();
    expect(await findOllama({ origin })).toEqual([]);
  });

  it('is assumed if the search is aborted', async () => {
    expect(await findOllama({ origin: server.origin, signal: AbortSignal.abort() })).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
