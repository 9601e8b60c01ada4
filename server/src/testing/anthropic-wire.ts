import type {
  ContentBlock,
  Message,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  StopReason,
} from '@anthropic-ai/sdk/resources/messages';
import { typedEvent, usualUsage, type VendorWire, type WireAnswer } from './vendor-wire.ts';

/** The wire format of Anthropic's Messages API. */
export const anthropicWire: VendorWire = {
  provider: 'anthropic',
  modelId: 'claude-sonnet-5',
  path: '/v1/messages',
  keyHeader: ['x-api-key', 'secret-key'],
  answer: (answer) => [
    typedEvent({
      type: 'message_start',
      message: messageOf(answer),
    } satisfies RawMessageStreamEvent),
    'event: ping\ndata: {"type": "ping"}\n\n',
    ...blocksOf(answer).flatMap(({ block, deltas }, index) =>
      [
        { type: 'content_block_start' as const, index, content_block: block },
        ...deltas.map((delta) => ({ type: 'content_block_delta' as const, index, delta })),
        { type: 'content_block_stop' as const, index },
      ].map((event) => typedEvent(event satisfies RawMessageStreamEvent)),
    ),
    typedEvent({
      type: 'message_delta',
      delta: {
        container: null,
        stop_details: null,
        stop_reason: stopReason(answer),
        stop_sequence: null,
      },
      usage: {
        input_tokens: null,
        cache_creation_input_tokens: null,
        cache_read_input_tokens: null,
        output_tokens: (answer.usage ?? usualUsage).outputTokens,
        output_tokens_details: null,
        server_tool_use: null,
      },
    } satisfies RawMessageStreamEvent),
    typedEvent({ type: 'message_stop' } satisfies RawMessageStreamEvent),
  ],
  errorEvent: typedEvent({
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded' },
  }),
  errorBody: (said) =>
    JSON.stringify({
      type: 'error',
      error: { type: 'invalid_request_error', message: said },
      request_id: 'req_1',
    }),
  contextFull: {
    status: 400,
    body: JSON.stringify({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 210000 tokens > 200000 maximum',
      },
    }),
  },
};

/** The thinking signature of every answer. */
export const anthropicSignature = 'signed-thinking';

const message: Message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5',
  content: [],
  container: null,
  diagnostics: null,
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  usage: {
    input_tokens: 0,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    output_tokens: 1,
    cache_creation: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: null,
    speed: null,
  },
};

interface WireBlock {
  block: ContentBlock;
  deltas: RawContentBlockDelta[];
}

function blocksOf({ thinking, text, calls = [] }: WireAnswer): WireBlock[] {
  const thought: WireBlock[] =
    thinking === undefined
      ? []
      : [
          {
            block: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              { type: 'thinking_delta', thinking },
              { type: 'signature_delta', signature: anthropicSignature },
            ],
          },
        ];
  const said: WireBlock[] =
    text === undefined
      ? []
      : [
          {
            block: { type: 'text', text: '', citations: null },
            deltas: text.map((each) => ({ type: 'text_delta', text: each })),
          },
        ];
  const called = calls.map(
    ({ id, name, arguments: pieces }): WireBlock => ({
      block: { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } },
      deltas: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    }),
  );
  return [...thought, ...said, ...called];
}

/** Input tokens are reported in three parts. */
function messageOf({ usage = usualUsage }: WireAnswer): Message {
  const ofCache = { cache_creation_input_tokens: 4, cache_read_input_tokens: 2 };
  const input_tokens = usage.inputTokens - 6;
  return { ...message, usage: { ...message.usage, ...ofCache, input_tokens } };
}

function stopReason({ stop, calls }: WireAnswer): StopReason {
  if (stop === 'refused') {
    return 'refusal';
  }
  if (stop === 'length') {
    return 'max_tokens';
  }
  return calls ? 'tool_use' : 'end_turn';
}
