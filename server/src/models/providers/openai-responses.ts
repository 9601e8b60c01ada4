import type { ModelConfig } from '@knowhow/shared/config/models';
import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { addressRule } from '../address-rule.ts';
import type { StreamAnswer } from '../guard-answer.ts';
import type { ModelEvent } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { createOpenAiClient } from '../openai-client.ts';
import { bearer, type NetworkProvider } from '../provider.ts';
import { parseToolInput } from '../tool-input.ts';
import { usageEvent } from '../usage-event.ts';
import { vendorState } from '../vendor-state.ts';
import { openAiResponsesBody } from './openai-responses-body.ts';

/** OpenAI's responses, for its models that think between calls of tools. */
export const openaiResponses: NetworkProvider = {
  kind: 'network',
  id: 'openai-responses',
  label: { en: 'OpenAI (responses)', de: 'OpenAI (Responses)' },
  keyVariable: 'OPENAI_API_KEY',
  keyHeader: bearer,
  address: addressRule({ base: 'https://api.openai.com/v1', path: 'responses' }),
  ask: askOpenAiResponses,
};

function askOpenAiResponses(config: ModelConfig, fetch: typeof globalThis.fetch): StreamAnswer {
  let client: ReturnType<typeof createOpenAiClient> | undefined;
  return async function* answer(request, signal) {
    client ??= createOpenAiClient(fetch);
    const body = openAiResponsesBody(request, config);
    yield* readEvents(await (await client).responses.create(body, { signal }));
  };
}

async function* readEvents(stream: AsyncIterable<ResponseStreamEvent>): AsyncGenerator<ModelEvent> {
  const items: ResponseOutputItem[] = [];
  for await (const event of stream) {
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        yield { type: 'text', text: event.delta };
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        yield { type: 'thinking', text: event.delta };
        break;
      case 'response.output_item.done':
        items.push(event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
        yield* finish(event.response, items);
        break;
      case 'response.failed':
        throw new ModelFailure({ kind: 'reported', body: JSON.stringify(event.response.error) });
      case 'error':
        throw new ModelFailure({ kind: 'reported', body: JSON.stringify(event) });
    }
  }
}

function* finish(response: Response, items: ResponseOutputItem[]): Generator<ModelEvent> {
  const incomplete = response.incomplete_details?.reason;
  if (incomplete === 'content_filter') {
    throw new ModelFailure({ kind: 'refused' });
  }
  const isCut = incomplete !== undefined;
  const calls = items.filter((item) => item.type === 'function_call');
  for (const { call_id, name, arguments: text } of calls) {
    yield { type: 'tool-call', call: { id: call_id, name, input: parseToolInput(text), isCut } };
  }
  if (calls.length > 0 && !isCut && items.some((item) => item.type === 'reasoning')) {
    yield vendorState('openai-responses', items);
  }
  if (response.usage) {
    const { input_tokens, input_tokens_details: details, output_tokens } = response.usage;
    yield usageEvent({
      inputTokens: input_tokens,
      cachedTokens: details?.cached_tokens,
      outputTokens: output_tokens,
    });
  }
  const ended = calls.length > 0 ? 'tool-calls' : 'stop';
  yield { type: 'stop', reason: isCut ? 'length' : ended };
}
