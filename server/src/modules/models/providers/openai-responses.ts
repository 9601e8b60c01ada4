import type { ModelConfig } from '@knowhow/shared/config/models';
import type {
  Response,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { localizeAll } from '../../../platform/lib/locales.ts';
import { addressRule } from '../address-rule.ts';
import type { StreamAnswer } from '../guard-answer.ts';
import { isThinkingEnabled } from '../is-thinking-enabled.ts';
import type { ModelEvent, ModelImage, ModelMessage, ModelRequest } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { createOpenAiClient } from '../openai-client.ts';
import { bearer, type NetworkProvider } from '../provider.ts';
import { readSse } from '../read-sse.ts';
import { parseToolInput, toolInputObject } from '../tool-input.ts';
import { flaggedText, type ToolResult } from '../tool-results.ts';
import { usageEvent } from '../usage-event.ts';
import { withoutFields } from '../vendor-fields.ts';
import { vendorItems, vendorState } from '../vendor-state.ts';

/** OpenAI's responses API, for models that reason between tool calls. */
export const openaiResponses: NetworkProvider = {
  kind: 'network',
  id: 'openai-responses',
  label: localizeAll(({ providers }) => providers.openaiResponses),
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
    const response = await (await client)
      .post('/responses', { body: request.adaptBody?.(body) ?? body, stream: true, signal })
      .asResponse();
    if (!response.body) {
      throw new ModelFailure({ kind: 'garbage' });
    }
    yield* readEvents(readSse<ResponsesEvent>(response.body));
  };
}

/** A stream event; or the whole response, from a server that does not stream. */
type ResponsesEvent =
  | ResponseStreamEvent
  | (Response & { type?: undefined })
  | { type: 'response.done'; response: Response };

async function* readEvents(batches: AsyncIterable<ResponsesEvent[]>): AsyncGenerator<ModelEvent> {
  const items: ResponseOutputItem[] = [];
  for await (const events of batches) {
    for (const event of events) {
      yield* readEvent(event, items);
    }
  }
}

function* readEvent(event: ResponsesEvent, items: ResponseOutputItem[]): Generator<ModelEvent> {
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
    case 'response.done':
    case 'response.incomplete':
      yield* finish(event.response, items);
      break;
    case 'response.failed':
      throw new ModelFailure({ kind: 'reported', body: JSON.stringify(event.response.error) });
    case undefined:
      yield* readResponse(event);
  }
}

function* readResponse(response: Response): Generator<ModelEvent> {
  const { output } = response;
  if (!Array.isArray(output)) {
    return;
  }
  if (response.status === 'failed') {
    throw new ModelFailure({ kind: 'reported', body: JSON.stringify(response.error) });
  }
  for (const item of output) {
    if (item.type === 'reasoning') {
      yield* item.summary.map(({ text }) => ({ type: 'thinking' as const, text }));
    } else if (item.type === 'message') {
      for (const part of item.content) {
        yield { type: 'text', text: part.type === 'refusal' ? part.refusal : part.text };
      }
    }
  }
  yield* finish(response, output);
}

function* finish(response: Response, items: ResponseOutputItem[]): Generator<ModelEvent> {
  const incomplete = response.incomplete_details?.reason;
  if (incomplete === 'content_filter') {
    throw new ModelFailure({ kind: 'refused' });
  }
  const isTruncated = Boolean(incomplete);
  const calls = items.filter((item) => item.type === 'function_call');
  for (const { call_id, name, arguments: text } of calls) {
    yield {
      type: 'tool-call',
      call: { id: call_id, name, input: parseToolInput(text), isTruncated },
    };
  }
  if (calls.length > 0 && !isTruncated && items.some(mustSendBack)) {
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
  yield { type: 'stop', reason: isTruncated ? 'length' : ended };
}

const knownFields: ReadonlySet<string> = new Set([
  ...['type', 'id', 'status', 'call_id', 'name', 'arguments'],
]);

/** Whether an item must be sent back unchanged: reasoning, or a call with unknown fields. */
function mustSendBack(item: ResponseOutputItem): boolean {
  return (
    item.type === 'reasoning' ||
    (item.type === 'function_call' && Object.keys(withoutFields(item, knownFields)).length > 0)
  );
}

/**
 * The request body of OpenAI's responses API. Nothing is stored there; reasoning is passed back and forth encrypted.
 */
function openAiResponsesBody(
  request: ModelRequest,
  config: ModelConfig,
): ResponseCreateParamsStreaming {
  const thinking = isThinkingEnabled(config);
  return {
    model: config.modelId,
    instructions: request.system || undefined,
    input: request.messages.flatMap(inputItems),
    tools:
      request.tools.length > 0
        ? request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description,
            parameters: { ...parameters },
            strict: false,
          }))
        : undefined,
    // Reasoning models only accept the default temperature.
    temperature: thinking ? undefined : request.temperature,
    reasoning: thinking ? { effort: config.thinking?.effort, summary: 'auto' } : undefined,
    include: thinking ? ['reasoning.encrypted_content'] : undefined,
    max_output_tokens: request.maxOutputTokens,
    text: request.answerSchema && {
      format: {
        type: 'json_schema',
        name: request.answerSchema.name,
        schema: { ...request.answerSchema.schema },
        strict: true,
      },
    },
    store: false,
    stream: true,
  };
}

function inputItems(message: ModelMessage): ResponseInputItem[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(message) }];
    case 'assistant':
      return vendorItems<ResponseInputItem>(message, 'openai-responses') ?? answerItems(message);
    case 'tool':
      return [
        { type: 'function_call_output', call_id: message.callId, output: toolOutput(message) },
      ];
  }
}

function userContent({ content, images = [] }: Extract<ModelMessage, { role: 'user' }>) {
  return images.length === 0
    ? content
    : [
        // `auto` lets the model choose the resolution.
        ...images.map((image) => ({ ...toImagePart(image), detail: 'auto' as const })),
        { type: 'input_text' as const, text: content },
      ];
}

function toImagePart({ mediaType, data }: ModelImage) {
  return { type: 'input_image' as const, image_url: `data:${mediaType};base64,${data}` };
}

function answerItems(message: Extract<ModelMessage, { role: 'assistant' }>): ResponseInputItem[] {
  return [
    ...(message.content ? [{ role: 'assistant' as const, content: message.content }] : []),
    ...message.toolCalls.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: JSON.stringify(toolInputObject(input)),
    })),
  ];
}

function toolOutput(message: ToolResult): ResponseInputItem.FunctionCallOutput['output'] {
  const text = flaggedText(message);
  if (!message.images?.length) {
    return text;
  }
  return [{ type: 'input_text', text }, ...message.images.map(toImagePart)];
}
