import type { ModelConfig } from '@knowhow/shared/models';
import type { AskModel, ModelEvent, ModelMessage, ModelRequest } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import { providerProblem } from './provider-problem.ts';

/**
 * What a provider's own file supplies: the answer as its client tells it. It may throw whatever the
 * client throws, end without `stop`, and say `stop` before `usage`.
 */
export type StreamAnswer = (
  request: ModelRequest,
  signal: AbortSignal,
) => AsyncIterable<ModelEvent>;

/** Makes a provider's stream keep the promises of `AskModel`. */
export function guardAnswer(config: ModelConfig, stream: StreamAnswer): AskModel {
  return async function* answer(request, signal) {
    signal.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    let stop: ModelEvent | undefined;
    let heard = false;
    let ended = false;
    try {
      for await (const event of stream(prepared(request, config), controller.signal)) {
        heard = true;
        if (event.type === 'stop') {
          stop = event;
        } else {
          yield event;
        }
        signal.throwIfAborted();
      }
      ended = true;
    } catch (error) {
      signal.throwIfAborted();
      // What breaks after `stop` took nothing from the answer.
      if (!stop) {
        throw providerProblem(error, config);
      }
    } finally {
      signal.removeEventListener('abort', abort);
      if (!ended) {
        controller.abort();
      }
    }
    signal.throwIfAborted();
    if (!stop) {
      throw providerProblem(new ModelFailure({ kind: heard ? 'cut' : 'garbage' }), config);
    }
    yield stop;
  };
}

function prepared(request: ModelRequest, config: ModelConfig): ModelRequest {
  const limits = [request.maxOutputTokens, config.maxOutputTokens].filter(
    (limit) => limit !== undefined,
  );
  return {
    ...request,
    messages: request.messages.filter(saysSomething),
    maxOutputTokens: limits.length > 0 ? Math.min(...limits) : undefined,
  };
}

/** An answer that was stopped before its first word: no vendor takes it back. */
function saysSomething(message: ModelMessage): boolean {
  return (
    message.role !== 'assistant' || message.content.trim() !== '' || message.toolCalls.length > 0
  );
}
