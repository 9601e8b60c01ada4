import { setTimeout } from 'node:timers/promises';
import type { Problem } from '@knowhow/shared/problem';
import type { StreamAnswer } from './guard-answer.ts';
import type { ModelEvent } from './model.ts';

export interface Retrying {
  /** Milliseconds to wait before each further request, about; as many as there are may be made. */
  backOffMs: readonly number[];
  /** Whether an error may pass by itself. */
  isTransient: (error: unknown) => boolean;
  /** Whether the model should be asked once more, also after it has thought. */
  isBadAnswer: (error: unknown) => boolean;
  /** What is said of an error; its `retryAfter` is waited for. */
  asProblem: (error: unknown) => Problem;
}

/** No further request is made later than this after the first one: somebody is waiting. */
const maxRetryMs = 10_000;

/**
 * Asks again what failed before the model had said anything, for errors that may pass. Yields a
 * `retry` before each further request; throws the last error.
 */
export function retryAnswer(stream: StreamAnswer, retrying: Retrying): StreamAnswer {
  return async function* answer(request, signal) {
    const began = performance.now();
    let badAnswers = 0;
    for (const backOff of [...retrying.backOffMs, undefined]) {
      let spoke = false;
      let wrote = false;
      try {
        for await (const event of stream(request, signal)) {
          spoke ||= event.type !== 'usage' && event.type !== 'retry';
          wrote ||= event.type === 'text' || event.type === 'tool-call';
          yield event;
        }
        return;
      } catch (error) {
        const waited = performance.now() - began;
        const isBad = retrying.isBadAnswer(error);
        badAnswers += isBad ? 1 : 0;
        const isOver = signal.aborted || (isBad ? wrote || badAnswers > 1 : spoke);
        const retry = isOver ? undefined : retryOf(error, backOff, retrying);
        if (!retry || waited + retry.waitMs > maxRetryMs) {
          throw error;
        }
        yield retry;
        await setTimeout(retry.waitMs, undefined, { signal });
      }
    }
  };
}

function retryOf(
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
