import { type ModelConfig, modelConfigSchema } from '@knowhow/shared/config/models';
import { describe, expect, it } from 'vitest';
import { describeWithheld, findModelKey as findKey, type ModelKey } from './model-key.ts';

const qwen = { id: 'qwen-2.5_large', modelId: 'qwen', name: 'Qwen', provider: 'local' };
const config = (provider: ModelConfig['provider'], url?: string): ModelConfig => ({
  ...modelConfigSchema.parse(qwen),
  provider,
  url,
});

type Variables = Record<string, string>;

const modelKey = (model: ModelConfig, variables: Variables, ...modelHosts: string[]): ModelKey =>
  findKey(model, { variables, modelHosts });

describe("a model's API key", () => {
  it.each([
    ['openai', 'OPENAI_API_KEY'],
    ['openai-responses', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['google', 'GOOGLE_API_KEY'],
    ['mistral', 'MISTRAL_API_KEY'],
  ] as const)('of %s is read from %s', (provider, name) => {
    expect(modelKey(config(provider), { [name]: 'k' })).toEqual({ ready: true, key: 'k' });
    expect(modelKey(config(provider), { OTHER_API_KEY: 'k' })).toEqual({
      ready: false,
      needs: name,
    });
    expect(modelKey(config(provider), { [name]: '' })).toEqual({ ready: false, needs: name });
  });

  it('for this model takes precedence', () => {
    const keys = { OPENAI_API_KEY: 'for all', QWEN_2_5_LARGE_API_KEY: 'for it' };
    expect(modelKey(config('openai'), keys)).toEqual({ ready: true, key: 'for it' });
    expect(modelKey(config('local'), keys)).toEqual({ ready: true, key: 'for it' });
  });

  it('is not needed on localhost, nor for a local or the demo model', () => {
    const none = { ready: true, key: undefined };
    expect(modelKey(config('openai', 'http://localhost:8000/v1'), {})).toEqual(none);
    expect(modelKey(config('anthropic', 'http://[::1]:8000'), {})).toEqual(none);
    expect(modelKey(config('local', 'http://gpu.intranet:8000'), {})).toEqual(none);
    expect(modelKey(config('demo'), {})).toEqual(none);
  });

  it('of a vendor is never sent to a local model', () => {
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

  it('is read only from the variable that its file names', () => {
    const named = { ...config('openai'), apiKeyEnv: 'TEAM_API_KEY' };
    const keys = { TEAM_API_KEY: 'team', OPENAI_API_KEY: 'all', QWEN_2_5_LARGE_API_KEY: 'own' };
    expect(modelKey(named, keys)).toEqual({ ready: true, key: 'team' });
    expect(modelKey(named, { OPENAI_API_KEY: 'all' })).toEqual({
      ready: false,
      needs: 'TEAM_API_KEY',
    });
  });

  it("is never another vendor's, regardless of the model's ID", () => {
    const keys = { OPENAI_API_KEY: 'k' };
    const called = { ...config('local'), id: 'openai' };
    expect(modelKey(called, keys)).toEqual({ ready: true, key: undefined });
    expect(modelKey({ ...called, provider: 'anthropic' }, keys)).toEqual({
      ready: false,
      needs: 'ANTHROPIC_API_KEY',
    });
  });
});

describe('a key', () => {
  const keys = { OPENAI_API_KEY: 'k' };

  it.each([
    ["the vendor's host", undefined],
    ["the vendor's host with an explicit port", 'https://API.OpenAI.com:443/v1'],
    ['localhost by address', 'http://127.0.0.1:8000/v1'],
    ['localhost by name', 'http://localhost:8000'],
  ])('is sent to %s', (_name, url) => {
    expect(modelKey(config('openai', url), keys)).toEqual({ ready: true, key: 'k' });
  });

  it.each(['http://127.8.9.1', 'http://[::1]:3', 'http://localhost:1'])(
    'is not needed at %s (localhost)',
    (url) => expect(modelKey(config('openai', url), {}).ready).toBe(true),
  );

  it.each(['http://localhost.example.com', 'http://gpu.localhost', 'http://10.0.0.1'])(
    'is needed at %s (not localhost)',
    (url) => expect(modelKey(config('openai', url), {}).ready).toBe(false),
  );

  it.each([
    ['another host', 'https://example.org/v1', 'example.org'],
    [
      'a host with the vendor as prefix',
      'https://api.openai.com.evil.org',
      'api.openai.com.evil.org',
    ],
    ['a host with the vendor as suffix', 'https://evilapi.openai.com', 'evilapi.openai.com'],
    ['a host behind user info', 'https://api.openai.com@evil.org', 'evil.org'],
    ['a host behind a backslash', 'https:\\\\evil.org\\@api.openai.com', 'evil.org'],
    ['the vendor over plain HTTP', 'http://api.openai.com/v1', 'http://api.openai.com'],
    ['the vendor at another port', 'https://api.openai.com:8443', 'api.openai.com:8443'],
    ['the vendor with a trailing dot', 'https://api.openai.com./v1', 'api.openai.com.'],
    ['a homograph of the vendor', 'https://api.οpenai.com', 'api.xn--penai-qce.com'],
    ['another vendor', 'https://api.mistral.ai/v1', 'api.mistral.ai'],
    ['a subdomain of localhost', 'http://evil.localhost', 'http://evil.localhost'],
    ['an address that looks like localhost', 'http://127.0.0.1.nip.io', 'http://127.0.0.1.nip.io'],
    ['the unspecified address', 'http://0.0.0.0:80', 'http://0.0.0.0'],
    ['an IPv6 address', 'https://[2001:DB8::1]:9', '[2001:db8::1]:9'],
  ])('is not sent to %s', (_name, url, host) => {
    const withheld = { variable: 'OPENAI_API_KEY', host };
    const refused = { ready: false, needs: `MODEL_HOSTS=${host}`, withheld };
    expect(modelKey(config('openai', url), keys)).toEqual(refused);
    expect(describeWithheld(withheld)).toBe(
      `The key of OPENAI_API_KEY is not sent to ${host}. The server's operator can allow it: MODEL_HOSTS=${host}`,
    );
  });

  it('is sent only to the exact origins that the environment allows', () => {
    const at = (url: string) => modelKey(config('openai', url), keys, 'https://gpu.example').ready;
    expect(at('https://gpu.example/v1')).toBe(true);
    expect(at('https://gpu.example:443')).toBe(true);
    expect(at('http://gpu.example')).toBe(false);
    expect(at('https://gpu.example:8443')).toBe(false);
    expect(at('https://sub.gpu.example')).toBe(false);
    expect(modelKey(config('openai', 'http://gpu:8000'), keys, 'http://gpu:8000').ready).toBe(true);
  });

  it('of a local model on the network is withheld too, and without a key it is used', () => {
    const local = config('local', 'http://gpu.intranet:8000');
    expect(modelKey(local, { QWEN_2_5_LARGE_API_KEY: 'k' })).toMatchObject({
      ready: false,
      needs: 'MODEL_HOSTS=http://gpu.intranet:8000',
    });
    expect(modelKey(local, {})).toEqual({ ready: true, key: undefined });
  });
});
