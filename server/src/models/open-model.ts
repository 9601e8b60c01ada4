import type { ModelConfig, ModelProvider } from '@knowhow/shared/models';
import { askAnthropic } from './ask-anthropic.ts';
import { askGoogle } from './ask-google.ts';
import { askOpenAiChat } from './ask-openai-chat.ts';
import { askOpenAiResponses } from './ask-openai-responses.ts';
import { demoModel } from './demo-model.ts';
import { guardAnswer, type StreamAnswer } from './guard-answer.ts';
import type { AskModel } from './model.ts';
import { modelEndpoint } from './model-endpoint.ts';
import { createModelFetch } from './model-fetch.ts';
import { mayPass, providerProblem } from './provider-problem.ts';
import { retryAnswer } from './retry-answer.ts';

interface Provider {
  ask: (config: ModelConfig, fetch: typeof globalThis.fetch) => StreamAnswer;
  /** The header that carries the key, with what stands before it there. */
  keyHeader: [name: string, before: string];
  headers?: Record<string, string>;
}

const bearer: Provider['keyHeader'] = ['authorization', 'Bearer '];

const providers: Record<Exclude<ModelProvider, 'demo'>, Provider> = {
  openai: { ask: askOpenAiChat, keyHeader: bearer },
  'openai-responses': { ask: askOpenAiResponses, keyHeader: bearer },
  mistral: { ask: askOpenAiChat, keyHeader: bearer },
  local: { ask: askOpenAiChat, keyHeader: bearer },
  anthropic: {
    ask: askAnthropic,
    keyHeader: ['x-api-key', ''],
    headers: { 'anthropic-version': '2023-06-01' },
  },
  google: { ask: askGoogle, keyHeader: ['x-goog-api-key', ''] },
};

interface OpenModelOptions {
  /** Milliseconds without a byte from the provider after which it is given up. */
  silenceMs?: number;
  /** Milliseconds before each further request, when one has failed for now. */
  backOffMs?: readonly number[];
}

/**
 * Makes a model's configuration into the function that asks it. Keep the result: it holds the
 * vendor's client, which is loaded when it is first asked.
 */
export function openModel(
  config: ModelConfig,
  key: string | undefined,
  { silenceMs = 120_000, backOffMs = [500, 1500] }: OpenModelOptions = {},
): AskModel {
  const { provider } = config;
  if (provider === 'demo') {
    return demoModel;
  }
  const { ask, keyHeader, headers } = providers[provider];
  const [name, before] = keyHeader;
  const endpoint = modelEndpoint({ ...config, provider });
  const fetch = createModelFetch({
    endpoint,
    headers: { ...headers, ...(key ? { [name]: `${before}${key}` } : {}) },
    silenceMs,
  });
  const tell = (error: unknown) => providerProblem(error, config, { key, endpoint });
  const stream = retryAnswer(ask(config, fetch), { backOffMs, mayPass, tell });
  return guardAnswer(config, stream, tell);
}
