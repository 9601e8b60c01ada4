import type { ModelConfig } from '@knowhow/shared/config/models';
import { adaptToServer } from './adapt-request.ts';
import { fallbackWithoutUnsupportedOptions } from './fallback-without-options.ts';
import { guardAnswer } from './guard-answer.ts';
import type { AskModel } from './model.ts';
import { createModelFetch } from './model-fetch.ts';
import {
  isBadAnswer,
  isTransient,
  isUnsupportedParameter,
  providerProblem,
} from './provider-problem.ts';
import { findProvider } from './providers.ts';
import { retryAnswer } from './retry-answer.ts';
import { separateThinking } from './separate-thinking.ts';

interface OpenModelOptions {
  /** Idle timeout in milliseconds. */
  silenceMs?: number;
  /** Back-off in milliseconds before each retry of a transient failure. */
  backOffMs?: readonly number[];
}

/**
 * Creates the function that asks a configured model. Reuse it: it holds the vendor's client, which is loaded on first
 * use.
 */
export function openModel(
  config: ModelConfig,
  key: string | undefined,
  { silenceMs = 120_000, backOffMs = [500, 1500] }: OpenModelOptions = {},
): AskModel {
  const provider = findProvider(config);
  if (provider.kind === 'built-in') {
    return provider.ask;
  }
  const { keyHeader, headers } = provider;
  const [name, before] = keyHeader;
  const endpoint = provider.address(config);
  const fetch = createModelFetch({
    endpoint,
    headers: { ...headers, ...(key ? { [name]: `${before}${key}` } : {}) },
    silenceMs,
  });
  const asProblem = (error: unknown) => providerProblem(error, config, { key, endpoint });
  const adapted = adaptToServer(provider.ask(config, fetch), asProblem);
  const asked = fallbackWithoutUnsupportedOptions(adapted, isUnsupportedParameter);
  const stream = retryAnswer(asked, { backOffMs, isTransient, isBadAnswer, asProblem });
  return guardAnswer(config, separateThinking(stream), asProblem);
}
