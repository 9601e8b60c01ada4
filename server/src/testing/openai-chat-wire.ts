import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { dataEvent, usualUsage, type VendorWire, type WireAnswer } from './vendor-wire.ts';

type Choice = ChatCompletionChunk.Choice;
/** Extension of vLLM, DeepSeek, llama.cpp and others for thinking. */
type Delta = Choice['delta'] & { reasoning_content?: string };

/** The wire format of OpenAI's chat completions, with thinking as sent by compatible servers. */
export const openAiChatWire: VendorWire = {
  provider: 'openai',
  modelId: 'gpt-5',
  path: '/v1/chat/completions',
  keyHeader: ['authorization', 'Bearer secret-key'],
  answer: (answer) => [
    chunk({ role: 'assistant', content: '' }),
    ...(answer.thinking ? [chunk({ reasoning_content: answer.thinking })] : []),
    ...(answer.text ?? []).map((content) => chunk({ content })),
    ...callDeltas(answer).map((delta) => chunk(delta)),
    chunk({}, finishReason(answer)),
    dataEvent({
      ...head,
      choices: [],
      usage: usageOf(answer),
    } satisfies ChatCompletionChunk),
    'data: [DONE]\n\n',
  ],
  errorEvent: dataEvent({
    error: { message: 'The server had an error', type: 'server_error', param: null, code: null },
  }),
  errorBody: (message) =>
    JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  contextFull: {
    status: 400,
    body: JSON.stringify({
      error: {
        message: "This model's maximum context length is 128000 tokens.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    }),
  },
};

const head = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-5',
} as const;

function chunk(delta: Delta, finish_reason: Choice['finish_reason'] = null): string {
  return dataEvent({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  } satisfies ChatCompletionChunk);
}

function usageOf({ usage = usualUsage }: WireAnswer): ChatCompletionChunk['usage'] {
  const { inputTokens, outputTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    prompt_tokens_details: { cached_tokens: 2 },
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

function callDeltas({ calls = [] }: WireAnswer): Delta[] {
  return calls.flatMap(({ id, name, arguments: pieces }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
}

function finishReason({ stop, calls }: WireAnswer): Choice['finish_reason'] {
  if (stop === 'refused') {
    return 'content_filter';
  }
  return stop ?? (calls ? 'tool_calls' : 'stop');
}
