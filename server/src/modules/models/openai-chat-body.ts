import type { ModelConfig } from '@knowhow/shared/config/models';
import { isRecord } from '@knowhow/shared/is-record';
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { isThinkingEnabled } from './is-thinking-enabled.ts';
import type { ModelImage, ModelMessage, ModelRequest } from './model.ts';
import { getChatState } from './openai-chat-state.ts';
import { toolInputObject } from './tool-input.ts';
import { flaggedText, type ToolResult, toolResultsFrom } from './tool-results.ts';

/** The request body of OpenAI's chat completions, which many servers support. */
export function openAiChatBody(
  request: ModelRequest,
  config: ModelConfig,
): ChatCompletionCreateParamsStreaming {
  return {
    model: config.modelId,
    messages: [
      ...(request.system ? [{ role: 'system' as const, content: request.system }] : []),
      ...request.messages.flatMap(chatMessages),
    ],
    tools:
      request.tools.length > 0
        ? request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters: { ...parameters } },
          }))
        : undefined,
    // Reasoning models only accept the default temperature.
    temperature: isThinkingEnabled(config) ? undefined : request.temperature,
    reasoning_effort: isThinkingEnabled(config) ? config.thinking?.effort : undefined,
    max_tokens: request.maxOutputTokens,
    response_format: request.answerSchema && {
      type: 'json_schema',
      json_schema: {
        name: request.answerSchema.name,
        schema: { ...request.answerSchema.schema },
        strict: true,
      },
    },
    stream: true,
    stream_options: { include_usage: true },
  };
}

function chatMessages(
  message: ModelMessage,
  index: number,
  messages: ModelMessage[],
): ChatCompletionMessageParam[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(message) }];
    case 'assistant':
      return [assistantMessage(message, hasThoughtBefore(messages, index))];
    case 'tool':
      return resultMessages(toolResultsFrom(messages, index));
  }
}

function userContent({ content, images = [] }: Extract<ModelMessage, { role: 'user' }>) {
  return images.length === 0
    ? content
    : [...images.map(toImagePart), { type: 'text' as const, text: content }];
}

function toImagePart({ mediaType, data }: ModelImage): ChatCompletionContentPart {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
}

type Answer = Extract<ModelMessage, { role: 'assistant' }>;

/**
 * @param hasThought whether an earlier answer of the turn sends `reasoning_content` back; DeepSeek then requires the
 * field, possibly empty, in each later answer
 */
function assistantMessage(
  message: Answer,
  hasThought: boolean,
): ChatCompletionAssistantMessageParam {
  const { message: fields, calls } = getChatState(message);
  const { content, toolCalls } = message;
  return {
    ...(hasThought ? { reasoning_content: '' } : {}),
    ...fields,
    role: 'assistant',
    // Gateways to Bedrock reject an empty text.
    content: toolCalls.length > 0 && content.trim() === '' ? null : content,
    tool_calls:
      toolCalls.length > 0
        ? toolCalls.map(({ id, name, input }, at) => {
            const { function: functionFields, ...callFields } = calls[at] ?? {};
            return {
              ...callFields,
              id,
              type: 'function',
              function: {
                ...(isRecord(functionFields) ? functionFields : {}),
                name,
                arguments: JSON.stringify(toolInputObject(input)),
              },
            };
          })
        : undefined,
  };
}

/** Whether an earlier answer of the same turn sends `reasoning_content` back. */
function hasThoughtBefore(messages: ModelMessage[], index: number): boolean {
  for (let at = index - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role === 'user') {
      return false;
    }
    if (message?.role === 'assistant' && 'reasoning_content' in getChatState(message).message) {
      return true;
    }
  }
  return false;
}

/** Tool results are text only in this API, so their images follow in a user message. */
function resultMessages(results: ToolResult[]): ChatCompletionMessageParam[] {
  const pictures = results.flatMap(({ images }) => images ?? []).map(toImagePart);
  const heading: ChatCompletionContentPart = {
    type: 'text',
    text: 'The pictures of the tool results above:',
  };
  return [
    ...results.map(({ callId, content, isError }) => ({
      role: 'tool' as const,
      tool_call_id: callId,
      content: flaggedText({ content, isError }),
    })),
    ...(pictures.length > 0 ? [{ role: 'user' as const, content: [heading, ...pictures] }] : []),
  ];
}
