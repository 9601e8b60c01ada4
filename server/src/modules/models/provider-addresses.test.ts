import { describe, expect, it } from 'vitest';
import { findProvider } from './providers.ts';

const endpointOf = (id: string, url: string | undefined) => {
  const provider = findProvider({ provider: id });
  return provider.kind === 'network'
    ? provider.address({ modelId: 'gemini-3-pro', url })
    : undefined;
};

const google = 'models/gemini-3-pro:streamGenerateContent?alt=sse';

describe('the endpoint of a model', () => {
  it.each<[string, string]>([
    ['openai', 'https://api.openai.com/v1/chat/completions'],
    ['openai-responses', 'https://api.openai.com/v1/responses'],
    ['mistral', 'https://api.mistral.ai/v1/chat/completions'],
    ['anthropic', 'https://api.anthropic.com/v1/messages'],
    ['google', `https://generativelanguage.googleapis.com/v1beta/${google}`],
    ['local', 'http://127.0.0.1:11434/v1/chat/completions'],
  ])("is the vendor's default for %s without a url", (provider, endpoint) => {
    expect(endpointOf(provider, undefined)).toBe(endpoint);
    expect(endpointOf(provider, '')).toBe(endpoint);
  });

  it.each<[string, string, string]>([
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
  ])('is built from the base URL: %s at %s', (provider, url, endpoint) => {
    expect(endpointOf(provider, url)).toBe(endpoint);
  });

  it.each<[string, string]>([
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
  ])('is a full endpoint as it is: %s at %s', (provider, url) => {
    expect(endpointOf(provider, url)).toBe(url);
  });

  it("gets the suffix and parameter that Google's streaming needs", () => {
    const streaming = 'http://host/v1beta/models/x:streamGenerateContent';
    for (const url of [streaming, 'http://host/v1beta/models/x:generateContent']) {
      expect(endpointOf('google', url)).toBe(`${streaming}?alt=sse`);
    }
    expect(endpointOf('google', `${streaming}?quota=team`)).toBe(`${streaming}?quota=team&alt=sse`);
  });
});
