import type { AskModel, ModelEvent, ModelRequest } from '../models/model.ts';

/** What a scripted model does when it is asked: events, or an error to throw in their place. */
export type Step = (ModelEvent | Error | ((signal: AbortSignal) => Promise<void>))[];

export interface ScriptedModel {
  ask: AskModel;
  /** Every request so far. */
  requests: ModelRequest[];
}

/**
 * A language model that plays a script: one step a request, in order; the last one again and again.
 * A function in a step is waited for, so that a test can hold an answer in its middle.
 */
export function scriptedModel(...script: Step[]): ScriptedModel {
  return choosingModel((_, index) => script[Math.min(index, script.length - 1)] ?? []);
}

/** A language model whose step goes by what it is asked. */
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

/** A whole answer of text. */
export function says(text: string): Step {
  return [
    { type: 'text', text },
    { type: 'usage', inputTokens: 10, outputTokens: 5 },
    { type: 'stop', reason: 'stop' },
  ];
}

/** An answer that calls tools: names and arguments. */
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

/** Waits until the turn is aborted, then ends as a provider's client does. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new DOMException('The request was aborted.', 'AbortError'));
    if (signal.aborted) {
      abort();
    }
    signal.addEventListener('abort', abort);
  });
}
