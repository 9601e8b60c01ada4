import { setTimeout } from 'node:timers/promises';
import type { Problem } from '@knowhow/shared/problem';
import type { StreamAnswer } from './guard-answer.ts';
import type { ModelEvent } from './model.ts';

export interface Retrying {
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
export function retryAnswer(stream: StreamAnswer, retrying: Retrying): StreamAnswer {
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
