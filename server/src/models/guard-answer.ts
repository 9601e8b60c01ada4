import type { ModelConfig } from '@knowhow/shared/config/models';
import type { Problem } from '@knowhow/shared/problem';
import type { AskModel, ModelEvent, ModelMessage, ModelRequest } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import { faultOfInput } from './tool-input.ts';
import { markState, withoutForeignState } from './vendor-state.ts';

/**
 * What a provider's own file supplies: the answer as its client reports it. It may throw whatever the
 * client throws, end without `stop`, and say `stop` before `usage`.
 */
export type StreamAnswer = (
  request: ModelRequest,
  signal: AbortSignal,
) => AsyncIterable<ModelEvent>;

type ToolCallEvent = Extract<ModelEvent, { type: 'tool-call' }>;

/**
 * Makes a provider's stream keep the promises of `AskModel`.
 *
 * @param asProblem what is said of an error
 */
export function guardAnswer(
  config: ModelConfig,
  stream: StreamAnswer,
  asProblem: (error: unknown) => Problem,
): AskModel {
  return async function* answer(request, signal) {
    signal.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    let stop: ModelEvent | undefined;
    let heard = false;
    let ended = false;
    const mayGoOn = measureAnswer();
    try {
      for await (const event of stream(prepared(request, config), controller.signal)) {
        heard ||= event.type !== 'retry';
        if (!mayGoOn(event)) {
          stop = { type: 'stop', reason: 'length' };
          controller.abort();
          break;
        }
        if (event.type === 'stop') {
          stop = event;
        } else {
          const checked = checkEvent(event, config);
          if (checked) {
            yield checked;
          }
        }
        signal.throwIfAborted();
      }
      ended = true;
    } catch (error) {
      signal.throwIfAborted();
      // What breaks after `stop` took nothing from the answer.
      if (!stop) {
        throw asProblem(error);
      }
    } finally {
      signal.removeEventListener('abort', abort);
      if (!ended) {
        controller.abort();
      }
    }
    signal.throwIfAborted();
    if (!stop) {
      throw asProblem(new ModelFailure({ kind: heard ? 'cut' : 'garbage' }));
    }
    yield stop;
  };
}

function checkEvent(event: ModelEvent, { modelId }: ModelConfig): ModelEvent | undefined {
  switch (event.type) {
    case 'tool-call':
      return withFault(event);
    case 'vendor-state': {
      const state = markState(event.state, modelId);
      return state === undefined ? undefined : { ...event, state };
    }
    default:
      return event;
  }
}

function withFault(event: ToolCallEvent): ToolCallEvent {
  const { isCut, ...call } = event.call;
  const fault = faultOfInput(call.input, isCut);
  return { ...event, call: fault ? { ...call, input: {}, fault } : call };
}

/** Characters of an answer and its thinking: more than any model writes. */
const maxAnswer = 2_000_000;
const maxCalls = 100;

/** Whether an answer may go on after an event. Throws when it calls more tools at once than any does. */
function measureAnswer(): (event: ModelEvent) => boolean {
  let length = 0;
  let calls = 0;
  return (event) => {
    length += event.type === 'text' || event.type === 'thinking' ? event.text.length : 0;
    calls += event.type === 'tool-call' ? 1 : 0;
    if (calls > maxCalls) {
      throw new ModelFailure({ kind: 'garbage', detail: `It called more than ${maxCalls} tools.` });
    }
    return length <= maxAnswer;
  };
}

function prepared(request: ModelRequest, config: ModelConfig): ModelRequest {
  const limits = [request.maxOutputTokens, config.maxOutputTokens].filter(
    (limit) => limit !== undefined,
  );
  return {
    ...request,
    messages: request.messages
      .filter(isNotEmpty)
      .map((message) => withoutForeignState(message, config.modelId)),
    maxOutputTokens: limits.length > 0 ? Math.min(...limits) : undefined,
  };
}

/** An answer that was stopped before its first word: no vendor takes it back. */
function isNotEmpty(message: ModelMessage): boolean {
  return (
    message.role !== 'assistant' || message.content.trim() !== '' || message.toolCalls.length > 0
  );
}
