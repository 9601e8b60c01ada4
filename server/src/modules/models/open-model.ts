import { setTimeout } from 'node:timers/promises';
import type { ModelConfig } from '@knowhow/shared/config/models';
import type { Problem } from '@knowhow/shared/problem';
import { adaptToServer } from './adapt-request.ts';
import { guardAnswer, type StreamAnswer } from './guard-answer.ts';
import type { AskModel, ModelEvent, ModelRequest } from './model.ts';
import { createModelFetch } from './model-fetch.ts';
import {
  isBadAnswer,
  isTransient,
  isUnsupportedParameter,
  providerProblem,
} from './provider-problem.ts';
import { findProvider } from './providers.ts';
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

interface Retrying {
  /** Approximate back-off in milliseconds before each retry; its length is the maximum number of retries. */
  backOffMs: readonly number[];
  /** Whether a retry of the same request may succeed. */
  isTransient: (error: unknown) => boolean;
  /** Whether the model's output was unusable; retried once, even after thinking. */
  isBadAnswer: (error: unknown) => boolean;
  /** Converts an error into a problem; its `retryAfter` is respected. */
  asProblem: (error: unknown) => Problem;
}

/** Maximum time between the first request and a retry, because a user is waiting. */
const maxRetryMs = 10_000;

/**
 * Retries transient errors, unless the model has already produced output. Yields a `retry` event before each retry;
 * throws the last error.
 */
function retryAnswer(stream: StreamAnswer, retrying: Retrying): StreamAnswer {
  return async function* answer(request, signal) {
    const began = performance.now();
    let badAnswers = 0;
    for (const backOff of [...retrying.backOffMs, undefined]) {
      let hasOutput = false;
      let hasText = false;
      try {
        for await (const event of stream(request, signal)) {
          hasOutput ||= event.type !== 'usage' && event.type !== 'retry';
          hasText ||= event.type === 'text' || event.type === 'tool-call';
          yield event;
        }
        return;
      } catch (error) {
        const waited = performance.now() - began;
        const isBad = retrying.isBadAnswer(error);
        badAnswers += isBad ? 1 : 0;
        const mustStop = signal.aborted || (isBad ? hasText || badAnswers > 1 : hasOutput);
        const retry = mustStop ? undefined : createRetry(error, backOff, retrying);
        if (!retry || waited + retry.waitMs > maxRetryMs) {
          throw error;
        }
        yield retry;
        await setTimeout(retry.waitMs, undefined, { signal });
      }
    }
  };
}

function createRetry(
  error: unknown,
  backOff: number | undefined,
  { isTransient, isBadAnswer, asProblem }: Retrying,
): Extract<ModelEvent, { type: 'retry' }> | undefined {
  if (backOff === undefined || !(isTransient(error) || isBadAnswer(error))) {
    return undefined;
  }
  const why = asProblem(error);
  // Jitter, so that clients do not retry in lockstep.
  const spread = backOff * (0.75 + Math.random() / 2);
  return { type: 'retry', why, waitMs: Math.round(Math.max(spread, (why.retryAfter ?? 0) * 1000)) };
}
