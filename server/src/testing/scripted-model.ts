import type { AskModel, ModelEvent, ModelRequest } from '../modules/models/model.ts';

/** The model's reaction to a request: events, or an error to throw. */
export type Step = (ModelEvent | Error | ((signal: AbortSignal) => Promise<void>))[];

export interface ScriptedModel {
  ask: AskModel;
  /** All requests so far. */
  requests: ModelRequest[];
}

/**
 * A fake language model with one step per request; the last one repeats. Functions in a step are
 * awaited, so that a test can pause an answer.
 */
export function scriptedModel(...script: Step[]): ScriptedModel {
  return choosingModel((_, index) => script[Math.min(index, script.length - 1)] ?? []);
}

/** A fake language model that chooses its step by the request. */
export function choosingModel(
  choose: (request: ModelRequest, index: number) => Step,
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    ask: async function* (request, signal) {
      const step = choose(request, requests.length);
      requests.push({ ...request, messages: [...request.messages] });
      for (const part of step) {
        signal.throwIfAborted();
        if (part instanceof Error) {
          throw part;
        }
        if (typeof part === 'function') {
          await part(signal);
        } else {
          yield part;
        }
      }
    },
  };
}

/** A complete text answer. */
export function says(text: string): Step {
  return [
    { type: 'text', text },
    { type: 'usage', inputTokens: 10, outputTokens: 5 },
    { type: 'stop', reason: 'stop' },
  ];
}

/** An answer with tool calls: names and arguments. */
export function calls(...wanted: [name: string, input: unknown][]): Step {
  return [
    ...wanted.map(
      ([name, input], index): ModelEvent => ({
        type: 'tool-call',
        call: { id: `call-${index}`, name, input },
      }),
    ),
    { type: 'stop', reason: 'tool-calls' },
  ];
}

/** Waits for an abort, then throws like a provider's client. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new DOMException('The request was aborted.', 'AbortError'));
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort);
  });
}
