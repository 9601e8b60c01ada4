import type { ModelConfig } from '@knowhow/shared/config/models';
import { adaptToServer } from './adapt-request.ts';
import type { StreamAnswer } from './guard-answer.ts';
import { guardAnswer } from './guard-answer.ts';
import type { AskModel, ModelRequest } from './model.ts';
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

/**
 * Retries without the answer schema if a provider rejects a request with one, because not every model supports it.
 * Once that succeeds, the schema is omitted for the lifetime of the client.
 *
 * @param isRefusal whether an error may mean that the request is unsupported
 */
function fallbackWithoutUnsupportedOptions(
  stream: StreamAnswer,
  isRefusal: (error: unknown) => boolean,
): StreamAnswer {
  let isRefused = false;
  async function* withSchema(request: ModelRequest, signal: AbortSignal) {
    let spoke = false;
    try {
      for await (const event of stream(request, signal)) {
        spoke ||= event.type !== 'retry';
        yield event;
      }
      return;
    } catch (error) {
      if (spoke || signal.aborted || !isRefusal(error)) {
        throw error;
      }
    }
    yield* stream(withoutSchema(request), signal);
    isRefused = true;
  }
  // Requests without a schema bypass the wrapper, for performance.
  return (request, signal) =>
    request.answerSchema && !isRefused
      ? withSchema(request, signal)
      : stream(withoutSchema(request), signal);
}

function withoutSchema({ answerSchema: _, ...request }: ModelRequest): ModelRequest {
  return request;
}
