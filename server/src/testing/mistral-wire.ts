import type { ContentChunk$Outbound } from '@mistralai/mistralai/models/components';
import { dataEvent, usualUsage, type VendorWire, type WireAnswer } from './vendor-wire.ts';

/**
 * The wire format of Mistral's chat completions: calls arrive complete, thinking as content parts.
 */
export const mistralWire: VendorWire = {
  provider: 'mistral',
  modelId: 'mistral-large-latest',
  path: '/v1/chat/completions',
  keyHeader: ['authorization', 'Bearer secret-key'],
  answer: (answer) => [
    chunk({ role: 'assistant', content: '' }),
    ...(answer.thinking ? [chunk({ content: [thinkingPart(answer.thinking)] })] : []),
    ...(answer.text ?? []).map((content) => chunk({ content })),
    ...(answer.calls ? [chunk({ content: '', tool_calls: wholeCalls(answer) })] : []),
    chunk({ content: '' }, finishReason(answer), usageOf(answer)),
    'data: [DONE]\n\n',
  ],
  errorEvent: dataEvent({
    error: { object: 'error', message: 'Service unavailable.', type: 'internal_server_error' },
  }),
  errorBody: (message) =>
    JSON.stringify({ object: 'error', message, type: 'invalid_request_error', code: 3000 }),
  contextFull: {
    status: 400,
    body: JSON.stringify({
      object: 'error',
      message:
        'Prompt contains 200000 tokens, too large for model with 131072 maximum context length',
      type: 'invalid_request_error',
      code: '3051',
    }),
  },
};

function thinkingPart(text: string): ContentChunk$Outbound {
  return { type: 'thinking', thinking: [{ type: 'text', text }] };
}

function chunk(delta: object, finish_reason: string | null = null, usage?: object): string {
  return dataEvent({
    id: 'cmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'mistral-large-latest',
    choices: [{ index: 0, delta, finish_reason }],
    usage,
  });
}

function usageOf({ usage = usualUsage }: WireAnswer): object {
  const { inputTokens, outputTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    prompt_tokens_details: { cached_tokens: 2 },
    total_tokens: inputTokens + outputTokens,
    completion_tokens: outputTokens,
  };
}

function wholeCalls({ calls = [] }: WireAnswer): object[] {
  return calls.map(({ id, name, arguments: pieces }, index) => ({
    id,
    function: { name, arguments: pieces.join('') },
    index,
  }));
}

function finishReason({ stop, calls }: WireAnswer): string {
  if (stop === 'refused') {
    return 'content_filter';
  }
  return stop ?? (calls ? 'tool_calls' : 'stop');
}
