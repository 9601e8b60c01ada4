import type { ModelConfig } from '@knowhow/shared/config/models';
import type { Problem } from '@knowhow/shared/problem';
import type { AskModel, ModelEvent, ModelMessage, ModelRequest } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import { validateToolInput } from './tool-input.ts';
import { markState, withoutForeignState } from './vendor-state.ts';

/**
 * A provider's answer as its client streams it. It may throw any error, end without `stop`, and emit `stop` before
 * `usage`.
 */
export type StreamAnswer = (
  request: ModelRequest,
  signal: AbortSignal,
) => AsyncIterable<ModelEvent>;

type ToolCallEvent = Extract<ModelEvent, { type: 'tool-call' }>;

/**
 * Makes a provider's stream fulfil the contract of `AskModel`.
 *
 * @param asProblem converts an error into a problem
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
    let hasEvents = false;
    let ended = false;
    const isWithinLimits = measureAnswer();
    try {
      for await (const event of stream(prepareRequest(request, config), controller.signal)) {
        hasEvents ||= event.type !== 'retry';
        if (!isWithinLimits(event)) {
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
      // An error after `stop` is harmless.
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
      throw asProblem(new ModelFailure({ kind: hasEvents ? 'cut' : 'garbage' }));
    }
    yield stop;
  };
}

function checkEvent(event: ModelEvent, { modelId }: ModelConfig): ModelEvent | undefined {
  switch (event.type) {
    case 'tool-call':
      return validateCall(event);
    case 'vendor-state': {
      const state = markState(event.state, modelId);
      return state === undefined ? undefined : { ...event, state };
    }
    default:
      return event;
  }
}

function validateCall(event: ToolCallEvent): ToolCallEvent {
  const { isTruncated, ...call } = event.call;
  const issue = validateToolInput(call.input, isTruncated);
  return { ...event, call: issue ? { ...call, input: {}, issue } : call };
}

/** Maximum characters of an answer with its thinking; more than any model writes. */
const maxAnswer = 2_000_000;
const maxCalls = 100;

/** Creates a check whether an answer is within its length limit after each event. Throws if it calls too many tools. */
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

function prepareRequest(request: ModelRequest, config: ModelConfig): ModelRequest {
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

/** Drops answers that were stopped before their first word, because vendors reject empty ones. */
function isNotEmpty(message: ModelMessage): boolean {
  return (
    message.role !== 'assistant' || message.content.trim() !== '' || message.toolCalls.length > 0
  );
}
