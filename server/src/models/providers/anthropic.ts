import type Anthropic from '@anthropic-ai/sdk';
import type { Stream } from '@anthropic-ai/sdk/core/streaming';
import type {
  ContentBlock,
  ContentBlockParam,
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
import { addressRule } from '../address-rule.ts';
import type { StreamAnswer } from '../guard-answer.ts';
import type { ModelEvent } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { longestTimeout } from '../model-fetch.ts';
import type { NetworkProvider } from '../provider.ts';
import { parseToolInput, toolInputObject } from '../tool-input.ts';
import { usageEvent } from '../usage-event.ts';
import { vendorState } from '../vendor-state.ts';
import { anthropicBody } from './anthropic-body.ts';

/** Anthropic. */
export const anthropic: NetworkProvider = {
  kind: 'network',
  id: 'anthropic',
  label: { en: 'Anthropic', de: 'Anthropic' },
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

/** Anthropic's messages. */
function askAnthropic(config: ModelConfig, fetch: typeof globalThis.fetch): StreamAnswer {
  let client: Promise<Anthropic> | undefined;
  return async function* answer(request, signal) {
    client ??= createClient(fetch);
    // `messages.create` does the same, and prints its opinion of some models on the console.
    const stream = await (await client).post<Stream<RawMessageStreamEvent>>('/v1/messages', {
      body: anthropicBody(request, config),
      stream: true,
      signal,
    });
    yield* readEvents(stream);
  };
}

/** What is set here keeps the client from `ANTHROPIC_…` variables, logging, tracing and retries. */
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
    timeout: longestTimeout,
  });
}

async function* readEvents(
  stream: AsyncIterable<RawMessageStreamEvent>,
): AsyncGenerator<ModelEvent> {
  const blocks: (Block | undefined)[] = [];
  let read = inputOf({ input_tokens: 0 });
  for await (const event of stream) {
    switch (event.type) {
      case 'message_start':
        read = inputOf(event.message.usage);
        break;
      case 'content_block_start':
        blocks[event.index] = openBlock(event.content_block);
        break;
      case 'content_block_delta': {
        const said = addDelta(blocks[event.index], event.delta);
        if (said) {
          yield said;
        }
        break;
      }
      case 'message_delta':
        // Later figures are the better ones, but older servers repeat the output's only.
        read = inputOf(event.usage).inputTokens > 0 ? inputOf(event.usage) : read;
        yield usageEvent({ ...read, outputTokens: event.usage.output_tokens });
        yield* finish(event.delta.stop_reason, blocks);
    }
  }
}

/** A block of the answer as Anthropic takes it back; the input of a call is text while it grows. */
type Block =
  | TextBlockParam
  | ThinkingBlockParam
  | RedactedThinkingBlockParam
  | (ToolUseBlockParam & { input: string });

function openBlock(block: ContentBlock): Block | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'redacted_thinking':
      return block;
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: '' };
    default:
      // Tools that run at Anthropic: we offer none.
      return undefined;
  }
}

function addDelta(block: Block | undefined, delta: RawContentBlockDelta): ModelEvent | undefined {
  if (block?.type === 'text' && delta.type === 'text_delta') {
    block.text += delta.text;
    return { type: 'text', text: delta.text };
  }
  if (block?.type === 'thinking' && delta.type === 'thinking_delta') {
    block.thinking += delta.thinking;
    return { type: 'thinking', text: delta.thinking };
  }
  if (block?.type === 'thinking' && delta.type === 'signature_delta') {
    block.signature = delta.signature;
  }
  if (block?.type === 'tool_use' && delta.type === 'input_json_delta') {
    block.input += delta.partial_json;
  }
  return undefined;
}

function* finish(reason: StopReason | null, blocks: (Block | undefined)[]): Generator<ModelEvent> {
  if (reason === 'refusal') {
    throw new ModelFailure({ kind: 'refused' });
  }
  const cut = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
  const calls = blocks.filter((block) => block?.type === 'tool_use');
  for (const { id, name, input } of calls) {
    yield { type: 'tool-call', call: { id, name, input: parseToolInput(input), isCut: cut } };
  }
  if (calls.length > 0 && !cut && blocks.some((block) => block?.type.endsWith('thinking'))) {
    yield vendorState('anthropic', blocks.flatMap(asSentBack));
  }
  const ended = calls.length > 0 ? 'tool-calls' : 'stop';
  yield { type: 'stop', reason: cut ? 'length' : ended };
}

function asSentBack(block: Block | undefined): ContentBlockParam[] {
  if (!block || (block.type === 'text' && block.text === '')) {
    return [];
  }
  return block.type === 'tool_use'
    ? [{ ...block, input: toolInputObject(parseToolInput(block.input)) }]
    : [block];
}

type Read = Pick<Usage, 'input_tokens'> & Partial<Usage>;

/** Here what came from the prompt cache, and what went there, is counted beside the rest of what was read. */
function inputOf(usage: Read | MessageDeltaUsage) {
  const cachedTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  const inputTokens = (usage.input_tokens ?? 0) + cacheWriteTokens + cachedTokens;
  return { inputTokens, cachedTokens, cacheWriteTokens };
}
