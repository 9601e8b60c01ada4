import type { ModelConfig } from '@knowhow/shared/models';
import { describe, expect, it } from 'vitest';
import { isLoopback, modelEndpoint } from './model-endpoint.ts';

type Provider = Exclude<ModelConfig['provider'], 'demo'>;

const endpointOf = (provider: Provider, url: string | undefined) =>
  modelEndpoint({ id: 'm', modelId: 'gemini-3-pro', name: 'M', provider, url });

const google = 'models/gemini-3-pro:streamGenerateContent?alt=sse';

describe('the address of a model', () => {
  it.each<[Provider, string]>([
    ['openai', 'https://api.openai.com/v1/chat/completions'],
    ['openai-responses', 'https://api.openai.com/v1/responses'],
    ['mistral', 'https://api.mistral.ai/v1/chat/completions'],
    ['anthropic', 'https://api.anthropic.com/v1/messages'],
    ['google', `https://generativelanguage.googleapis.com/v1beta/${google}`],
    ['local', 'http://127.0.0.1:11434/v1/chat/completions'],
  ])("is the vendor's own for %s without a url", (provider, endpoint) => {
    expect(endpointOf(provider, undefined)).toBe(endpoint);
    expect(endpointOf(provider, '')).toBe(endpoint);
  });

  it.each<[Provider, string, string]>([
    ['openai', 'http://host:8000', 'http://host:8000/v1/chat/completions'],
    ['openai', 'http://host:8000/', 'http://host:8000/v1/chat/completions'],
    ['openai', 'http://host/v1', 'http://host/v1/chat/completions'],
    ['openai', 'http://host/v1/', 'http://host/v1/chat/completions'],
    ['openai', 'http://host/api/v1', 'http://host/api/v1/chat/completions'],
    ['openai', 'http://host/gateway', 'http://host/gateway/chat/completions'],
    ['openai', 'http://host/v1beta/openai', 'http://host/v1beta/openai/chat/completions'],
    ['local', 'http://host:1234/v1', 'http://host:1234/v1/chat/completions'],
    ['mistral', 'http://host/v1', 'http://host/v1/chat/completions'],
    ['openai-responses', 'http://host', 'http://host/v1/responses'],
    ['openai-responses', 'http://host/v1', 'http://host/v1/responses'],
    ['anthropic', 'http://host', 'http://host/v1/messages'],
    ['anthropic', 'http://host/v1', 'http://host/v1/messages'],
    ['anthropic', 'http://host/anthropic', 'http://host/anthropic/v1/messages'],
    ['google', 'http://host', `http://host/v1beta/${google}`],
    ['google', 'http://host/v1', `http://host/v1/${google}`],
    ['google', 'http://host/v1beta/models', `http://host/v1beta/${google}`],
    ['google', 'http://host/gateway', `http://host/gateway/v1beta/${google}`],
  ])('starts from the base: %s at %s', (provider, url, endpoint) => {
    expect(endpointOf(provider, url)).toBe(endpoint);
  });

  it.each<[Provider, string]>([
    ['openai', 'http://host/v1/chat/completions'],
    ['openai', 'http://host/openai/deployments/x/chat/completions?api-version=2024-10-21'],
    ['openai', 'http://host/chat/completions'],
    ['local', 'http://host:8080/v1/chat/completions'],
    ['mistral', 'http://host/v1/chat/completions'],
    ['openai-responses', 'http://host/openai/v1/responses'],
    ['anthropic', 'http://host/proxy/v1/messages'],
    ['anthropic', 'http://host/messages'],
    ['google', 'http://host/v1beta/models/other-model:streamGenerateContent?alt=sse'],
    ['google', 'http://host/v1/publishers/google/models/x-1:streamGenerateContent?alt=sse'],
  ])('is the full endpoint as it stands: %s at %s', (provider, url) => {
    expect(endpointOf(provider, url)).toBe(url);
  });

  it("adds what Google's full endpoint lacks for streaming", () => {
    const streaming = 'http://host/v1beta/models/x:streamGenerateContent';
    for (const url of [streaming, 'http://host/v1beta/models/x:generateContent']) {
      expect(endpointOf('google', url)).toBe(`${streaming}?alt=sse`);
    }
    expect(endpointOf('google', `${streaming}?quota=team`)).toBe(`${streaming}?quota=team&alt=sse`);
  });
});

describe('an address on loopback', () => {
  it.each(['http://localhost:1', 'http://127.0.0.1/v1', 'http://127.8.9.1', 'http://[::1]:3'])(
    'is %s',
    (url) => expect(isLoopback(url)).toBe(true),
  );

  it.each([
    'http://localhost.example.com',
    'http://gpu.localhost',
    'http://10.0.0.1',
    'https://127.0.0.1.nip.io',
  ])('is not %s', (url) => expect(isLoopback(url)).toBe(false));
});
