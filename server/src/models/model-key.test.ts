import type { ModelConfig } from '@knowhow/shared/models';
import { describe, expect, it } from 'vitest';
import { modelKey } from './model-key.ts';

const config = (provider: ModelConfig['provider'], url?: string): ModelConfig => ({
  id: 'qwen-2.5_large',
  modelId: 'qwen',
  name: 'Qwen',
  provider,
  url,
});

describe("a model's key", () => {
  it.each([
    ['openai', 'OPENAI_API_KEY'],
    ['openai-responses', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['google', 'GOOGLE_API_KEY'],
    ['mistral', 'MISTRAL_API_KEY'],
  ] as const)('of %s is in %s', (provider, name) => {
    expect(modelKey(config(provider), { [name]: 'k' })).toEqual({ ready: true, key: 'k' });
    expect(modelKey(config(provider), { OTHER_API_KEY: 'k' })).toEqual({
      ready: false,
      needs: name,
    });
    expect(modelKey(config(provider), { [name]: '' })).toEqual({ ready: false, needs: name });
  });

  it('of one model alone comes first', () => {
    const keys = { OPENAI_API_KEY: 'for all', QWEN_2_5_LARGE_API_KEY: 'for it' };
    expect(modelKey(config('openai'), keys)).toEqual({ ready: true, key: 'for it' });
    expect(modelKey(config('local'), keys)).toEqual({ ready: true, key: 'for it' });
  });

  it('is not needed on this machine, nor for a local or the demo model', () => {
    const none = { ready: true, key: undefined };
    expect(modelKey(config('openai', 'http://localhost:8000/v1'), {})).toEqual(none);
    expect(modelKey(config('anthropic', 'http://[::1]:8000'), {})).toEqual(none);
    expect(modelKey(config('local', 'http://gpu.intranet:8000'), {})).toEqual(none);
    expect(modelKey(config('demo'), {})).toEqual(none);
  });

  it('of a vendor never goes to a local model', () => {
    expect(modelKey(config('local'), { OPENAI_API_KEY: 'k' })).toEqual({
      ready: true,
      key: undefined,
    });
  });

  it('is needed at any other address', () => {
    expect(modelKey(config('openai', 'http://gpu.intranet:8000'), {})).toEqual({
      ready: false,
      needs: 'OPENAI_API_KEY',
    });
  });
});
