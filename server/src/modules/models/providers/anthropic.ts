import type Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlock,
  ContentBlockParam,
  Message,
  MessageDeltaUsage,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  RedactedThinkingBlockParam,
  StopReason,
  TextBlockParam,
  ThinkingBlockParam,
  ToolUseBlockParam,
  Usage,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelConfig } from '@knowhow/shared/config/models';
import { isRecord } from '@knowhow/shared/is-record';
import { addressRule } from '../address-rule.ts';
import { newCallId } from '../collect-tool-calls.ts';
import type { StreamAnswer } from '../guard-answer.ts';
import type { ModelEvent } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { maxTimeoutMs } from '../model-fetch.ts';
import type { NetworkProvider } from '../provider.ts';
import { readSse } from '../read-sse.ts';
import { parseToolInput, toolInputObject } from '../tool-input.ts';
import { usageEvent } from '../usage-event.ts';
import { boundedFields, withoutFields } from '../vendor-fields.ts';
import { vendorState } from '../vendor-state.ts';
import { anthropicBody } from './anthropic-body.ts';

/** Anthropic. */
export const anthropic: NetworkProvider = {
  kind: 'network',
  id: 'anthropic',
  label: 'Anthropic',
  keyVariable: 'ANTHROPIC_API_KEY',
  keyHeader: ['x-api-key', ''],
  headers: { 'anthropic-version': '2023-06-01' },
  address: addressRule({
    base: 'https://api.anthropic.com',
    path: 'messages',
    alwaysVersioned: true,
  }),
  ask: askAnthropic,
};

/** Anthropic's messages API. */
function askAnthropic(config: ModelConfig, fetch: typeof globalThis.fetch): StreamAnswer {
  let client: Promise<Anthropic> | undefined;
  return async function* answer(request, signal) {
    client ??= createClient(fetch);
    // `messages.create` would do the same, but prints warnings about some models to the console.
    const body = anthropicBody(request, config);
    const response = await (await client)
      .post('/v1/messages', { body: request.adaptBody?.(body) ?? body, stream: true, signal })
      .asResponse();
    if (!response.body) {
      throw new ModelFailure({ kind: 'garbage' });
    }
    yield* readEvents(readSse<AnthropicEvent>(response.body));
  };
}

/** These options stop the client from reading `ANTHROPIC_…` variables, logging, tracing and retrying. */
async function createClient(fetch: typeof globalThis.fetch): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  return new Client({
    fetch,
    baseURL: 'http://model.invalid',
    apiKey: 'held-by-our-fetch',
    webhookKey: null,
    openTelemetry: false,
    logLevel: 'off',
    maxRetries: 0,
    timeout: maxTimeoutMs,
  });
}

/** A stream event; or the whole message, from a server that does not stream. */
type AnthropicEvent = RawMessageStreamEvent | Message;

async function* readEvents(batches: AsyncIterable<AnthropicEvent[]>): AsyncGenerator<ModelEvent> {
  const state: StreamState = {
    blocks: new Map(),
    read: inputUsage({ input_tokens: 0 }),
    isFinished: false,
  };
  for await (const events of batches) {
    for (const event of events) {
      yield* readEvent(event, state);
    }
  }
}

interface StreamState {
  /** By index, in order of arrival. A map, because a huge index from the server would make an array extremely slow. */
  blocks: Map<number, Block | undefined>;
  read: ReturnType<typeof inputUsage>;
  isFinished: boolean;
}

function* readEvent(event: AnthropicEvent, state: StreamState): Generator<ModelEvent> {
  const { blocks } = state;
  switch (event.type) {
    case 'message':
      yield* readMessage(event, state);
      break;
    case 'message_start':
      state.read = inputUsage(event.message?.usage ?? {});
      break;
    case 'content_block_start':
      blocks.set(event.index, openBlock(event.content_block));
      break;
    case 'content_block_delta': {
      const output = addDelta(blocks.get(event.index), event.delta);
      if (output) {
        yield output;
      }
      break;
    }
    case 'message_delta':
      if (event.usage) {
        // Later counts are more accurate, but older servers only repeat the output's.
        const usage = inputUsage(event.usage);
        state.read = usage.inputTokens > 0 ? usage : state.read;
        yield usageEvent({ ...state.read, outputTokens: event.usage.output_tokens });
      }
      if (event.delta?.stop_reason) {
        yield* finish(event.delta.stop_reason, state);
      }
      break;
    case 'message_stop':
      // Some servers send no stop reason.
      yield* finish(null, state);
  }
}

function* readMessage(message: Message, state: StreamState): Generator<ModelEvent> {
  for (const block of message.content ?? []) {
    const opened = openBlock(block);
    state.blocks.set(state.blocks.size, opened);
    if (opened && block.type === 'text') {
      Object.assign(opened, { text: block.text });
      yield { type: 'text', text: block.text };
    } else if (opened && block.type === 'thinking') {
      Object.assign(opened, { thinking: block.thinking, signature: block.signature });
      yield { type: 'thinking', text: block.thinking };
    } else if (opened?.type === 'tool_use' && block.type === 'tool_use') {
      opened.input = inputText(block.input);
    }
  }
  if (message.usage) {
    yield usageEvent({ ...inputUsage(message.usage), outputTokens: message.usage.output_tokens });
  }
  yield* finish(message.stop_reason, state);
}

/** A content block in the form that is sent back; a call's input is text while it streams. */
type Block =
  | TextBlockParam
  | ThinkingBlockParam
  | RedactedThinkingBlockParam
  | (ToolUseBlockParam & { input: string });

/** Starts a block, including unknown fields of its server. */
function openBlock(block: ContentBlock | undefined): Block | undefined {
  const fields = block ? boundedFields(withoutFields(block, knownFields)) : {};
  switch (block?.type) {
    case 'text':
      return { ...fields, type: 'text', text: '' };
    case 'thinking':
      return { ...fields, type: 'thinking', thinking: '', signature: '' };
    case 'redacted_thinking':
      return block;
    case 'tool_use': {
      // Some servers send the whole input at once.
      const input = inputText(block.input);
      return { ...fields, type: 'tool_use', id: block.id || newCallId(), name: block.name, input };
    }
    default:
      // Server-side tools of Anthropic, which are not offered.
      return undefined;
  }
}

const knownFields: ReadonlySet<string> = new Set([
  ...['type', 'text', 'citations', 'thinking', 'signature', 'data', 'id', 'name', 'input'],
]);

function inputText(input: unknown): string {
  if (typeof input === 'string') {
    return input;
  }
  return isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
}

function addDelta(
  block: Block | undefined,
  delta: RawContentBlockDelta | undefined,
): ModelEvent | undefined {
  if (block?.type === 'text' && delta?.type === 'text_delta') {
    block.text += delta.text;
    return { type: 'text', text: delta.text };
  }
  if (block?.type === 'thinking' && delta?.type === 'thinking_delta') {
    block.thinking += delta.thinking;
    return { type: 'thinking', text: delta.thinking };
  }
  if (block?.type === 'thinking' && delta?.type === 'signature_delta') {
    block.signature = delta.signature;
  }
  if (block?.type === 'tool_use' && delta?.type === 'input_json_delta') {
    block.input += delta.partial_json;
  }
  return undefined;
}

function* finish(reason: StopReason | null, state: StreamState): Generator<ModelEvent> {
  const blocks = [...state.blocks.values()];
  if (state.isFinished) {
    return;
  }
  state.isFinished = true;
  if (reason === 'refusal') {
    throw new ModelFailure({ kind: 'refused' });
  }
  const isTruncated = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
  const calls = blocks.filter((block) => block?.type === 'tool_use');
  for (const { id, name, input } of calls) {
    yield {
      type: 'tool-call',
      call: { id, name, input: parseToolInput(input), isTruncated: isTruncated },
    };
  }
  if (calls.length > 0 && !isTruncated && blocks.some(mustSendBack)) {
    yield vendorState('anthropic', blocks.flatMap(toSentBack));
  }
  const ended = calls.length > 0 ? 'tool-calls' : 'stop';
  yield { type: 'stop', reason: isTruncated ? 'length' : ended };
}

/** Whether a block must be sent back unchanged: thinking, or one with unknown fields. */
function mustSendBack(block: Block | undefined): boolean {
  return (
    block !== undefined &&
    (block.type.endsWith('thinking') || Object.keys(block).some((name) => !knownFields.has(name)))
  );
}

function toSentBack(block: Block | undefined): ContentBlockParam[] {
  if (!block || (block.type === 'text' && block.text.trim() === '')) {
    return [];
  }
  return block.type === 'tool_use'
    ? [{ ...block, input: toolInputObject(parseToolInput(block.input)) }]
    : [block];
}

type UsageFields = Partial<Usage>;

/** Input tokens including those read from and written to the prompt cache, which Anthropic counts separately. */
function inputUsage(usage: UsageFields | MessageDeltaUsage) {
  const cachedTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  const inputTokens = (usage.input_tokens ?? 0) + cacheWriteTokens + cachedTokens;
  return { inputTokens, cachedTokens, cacheWriteTokens };
}
