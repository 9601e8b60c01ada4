import type {
  Response,
  ResponseFunctionToolCall,
  ResponseReasoningItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { typedEvent, usualUsage, type VendorWire, type WireAnswer } from './vendor-wire.ts';

/**
 * The wire format of OpenAI's Responses API. Thinking arrives as a summary, and encrypted in its
 * item.
 */
export const openAiResponsesWire: VendorWire = {
  provider: 'openai-responses',
  modelId: 'gpt-5',
  path: '/v1/responses',
  keyHeader: ['authorization', 'Bearer secret-key'],
  answer: (answer) =>
    [
      { type: 'response.created' as const, response: response({}) },
      ...reasoningEvents(answer),
      ...textEvents(answer),
      ...callEvents(answer),
      lastEvent(answer),
    ].map((event, sequence_number) => typedEvent({ ...event, sequence_number })),
  errorEvent: typedEvent({
    type: 'response.failed',
    sequence_number: 9,
    response: response({
      status: 'failed',
      error: { code: 'server_error', message: 'The model failed' },
    }),
  } satisfies ResponseStreamEvent),
  errorBody: (message) =>
    JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  contextFull: {
    status: 400,
    body: JSON.stringify({
      error: {
        message: 'Your input exceeds the context window of this model.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    }),
  },
};

type Unnumbered<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;
type WireEvent = Unnumbered<ResponseStreamEvent>;

/** The reasoning item of an answer with thinking. */
export function reasoningItem(summary: string): ResponseReasoningItem {
  return {
    id: 'rs_1',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: summary }],
    encrypted_content: 'encrypted-thinking',
  };
}

function reasoningEvents({ thinking }: WireAnswer): WireEvent[] {
  if (thinking === undefined) {
    return [];
  }
  const base = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
  return [
    { type: 'response.reasoning_summary_text.delta', ...base, delta: thinking },
    { type: 'response.output_item.done', output_index: 0, item: reasoningItem(thinking) },
  ];
}

function textEvents({ text = [] }: WireAnswer): WireEvent[] {
  const base = { item_id: 'msg_1', output_index: 1, content_index: 0 };
  return text.map((delta) => ({
    type: 'response.output_text.delta',
    ...base,
    delta,
    logprobs: [],
  }));
}

/** The item of a call in an answer. */
export function callItem(call: { id: string; name: string; arguments: string[] }) {
  return {
    type: 'function_call',
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: call.arguments.join(''),
    status: 'completed',
  } satisfies ResponseFunctionToolCall;
}

function callEvents({ calls = [] }: WireAnswer): WireEvent[] {
  return calls.flatMap((call, index): WireEvent[] => {
    const base = { output_index: index + 2, item_id: `fc_${call.id}` };
    return [
      {
        type: 'response.output_item.added',
        output_index: index + 2,
        item: { ...callItem(call), arguments: '', status: 'in_progress' },
      },
      ...call.arguments.map((delta) => ({
        type: 'response.function_call_arguments.delta' as const,
        ...base,
        delta,
      })),
      { type: 'response.output_item.done', output_index: index + 2, item: callItem(call) },
    ];
  });
}

function lastEvent({ stop, usage = usualUsage }: WireAnswer): WireEvent {
  const counted = { usage: usageOf(usage) };
  if (stop === 'length' || stop === 'refused') {
    const reason = stop === 'length' ? 'max_output_tokens' : 'content_filter';
    return {
      type: 'response.incomplete',
      response: response({ status: 'incomplete', incomplete_details: { reason }, ...counted }),
    };
  }
  return { type: 'response.completed', response: response({ status: 'completed', ...counted }) };
}

function usageOf({ inputTokens, outputTokens }: typeof usualUsage): Response['usage'] {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    input_tokens_details: { cached_tokens: 2 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
}

function response(fields: Partial<Response>): Response {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    output_text: '',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: null,
    model: 'gpt-5',
    output: [],
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: usageOf(usualUsage),
    ...fields,
  };
}
